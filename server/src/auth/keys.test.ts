import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant, testOrigin } from "../../testing/factories.ts";
import { addEnvironment } from "../merchants/add-environment.ts";
import { inEnvironment, operatorScope, readEnvironment, type Tx } from "../platform/database/database.ts";
import { listAudit } from "../platform/records/audit.ts";
import { openEnvironment } from "../start/open-environment.ts";
import { issueKey, keyLimitErrors } from "./issue-key.ts";
import { listKeys } from "./list-keys.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import { knownScopes } from "./routes.ts";
import { hashSecretKey } from "./secret-key.ts";

const { db, ownerUrl } = await createTestDatabase();
const origin = testOrigin;
const nobody = "01932c5e-0000-7000-8000-000000000000";

const asOperator = <T>(work: (tx: Tx) => Promise<T>) => inEnvironment(db, operatorScope, work);
const allOf = (environmentId: string) =>
  asOperator(async (tx) => (await listKeys(tx, environmentId, { page: 1, limit: 100 })).rows);

async function readEverything(): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "select format('%I', relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  let text = "";
  for (const { name } of tables.rows)
    text += JSON.stringify((await client.query(`select t::text from ${name} t`)).rows);
  await client.end();
  return text;
}

test("a key is stored by its hash only, and neither the trail nor any table holds the secret", async () => {
  const { key, secretKey } = await createMerchant(db);
  const { issued } = await asOperator((tx) => rotateKey(tx, { keyId: key.id, origin }));
  const everything = await readEverything();
  expect(everything).toContain(hashSecretKey(secretKey).toString("hex"));
  for (const secret of [secretKey, issued.key]) expect(everything).not.toContain(secret.slice(8));
});

test("a key of a live environment is a live key", async () => {
  const { merchant } = await createMerchant(db);
  const issued = await asOperator(async (tx) => {
    const live = await addEnvironment(tx, {
      merchantId: merchant.id,
      kind: "LIVE",
      name: "Live",
      origin,
      environmentOpened: openEnvironment,
    });
    return issueKey(tx, { environmentId: live.id, name: "Live", origin });
  });
  expect(issued.key).toMatch(/^sk_live_/);
  expect(issued.prefix).toBe(issued.key.slice(0, 12));
});

test("unknown scopes, bad addresses and a past end are all named at once", () => {
  const limits = {
    scopes: ["loans:read", "loans:delete"],
    allowedAddresses: ["203.0.113.7", "everywhere"],
    expiresAt: new Date(Date.now() - 1),
  };
  const fields = keyLimitErrors(knownScopes(["loans"]), limits).map(({ field }) => field);
  expect(fields).toEqual(["scopes[1]", "allowedAddresses[1]", "expiresAt"]);
});

test("keys are listed newest first with all their limits, and only those of their environment", async () => {
  const { environment, key } = await createMerchant(db);
  await createMerchant(db);
  const limits = {
    scopes: ["bills:read"],
    allowedAddresses: ["203.0.113.0/24"],
    expiresAt: new Date(Date.now() + 60_000),
  };
  const second = await asOperator((tx) =>
    issueKey(tx, { environmentId: environment.id, name: "Second", ...limits, origin }),
  );
  const listed = await allOf(environment.id);
  expect(listed.map(({ id }) => id)).toEqual([second.id, key.id]);
  expect(listed[0]).toMatchObject({ name: "Second", ...limits, revokedAt: null, lastUsedAt: null, replacedBy: null });
  expect(Object.keys(listed[0] ?? {})).not.toContain("key");
});

test.each([nobody, "not-a-uuid"])("the environment %s is not found", async (environmentId) => {
  const notFound = { code: "environment_not_found", status: 404 };
  await expect(asOperator((tx) => issueKey(tx, { environmentId, name: "x", origin }))).rejects.toMatchObject(notFound);
  await expect(allOf(environmentId)).rejects.toMatchObject(notFound);
});

test.each([nobody, "not-a-uuid"])("the key %s is not found", async (keyId) => {
  const notFound = { code: "key_not_found", status: 404 };
  await expect(asOperator((tx) => rotateKey(tx, { keyId, origin }))).rejects.toMatchObject(notFound);
  await expect(asOperator((tx) => revokeKey(tx, { keyId, origin }))).rejects.toMatchObject(notFound);
});

test("a rotation takes over every limit and ends the old key after a day unless told otherwise", async () => {
  const { environment } = await createMerchant(db);
  const limits = { name: "Payouts", scopes: ["transfers:write"], allowedAddresses: ["203.0.113.7"] };
  const old = await asOperator((tx) => issueKey(tx, { environmentId: environment.id, ...limits, origin }));
  const { issued, replaced } = await asOperator((tx) => rotateKey(tx, { keyId: old.id, origin }));
  expect(issued).toMatchObject({ ...limits, expiresAt: null, environmentId: environment.id });
  expect(issued.key).not.toBe(old.key);
  expect(replaced.replacedBy).toBe(issued.id);
  const lifeSeconds = ((replaced.expiresAt?.getTime() ?? 0) - Date.now()) / 1_000;
  expect(lifeSeconds).toBeGreaterThan(86_390);
  expect(lifeSeconds).toBeLessThanOrEqual(86_400);
  expect((await allOf(environment.id)).map(({ id }) => id).slice(0, 2)).toEqual([issued.id, old.id]);
});

test("an overlap never lengthens the old key's life", async () => {
  const { environment } = await createMerchant(db);
  const expiresAt = new Date(Date.now() + 60_000);
  const old = await asOperator((tx) =>
    issueKey(tx, { environmentId: environment.id, name: "Short", expiresAt, origin }),
  );
  const { issued, replaced } = await asOperator((tx) =>
    rotateKey(tx, { keyId: old.id, overlapSeconds: 3_600, origin }),
  );
  expect(replaced.expiresAt).toEqual(expiresAt);
  expect(issued.expiresAt).toEqual(expiresAt);
});

test("of two rotations at once one makes the successor and the other is told of it", async () => {
  const { key, environment } = await createMerchant(db);
  const rotate = () => asOperator((tx) => rotateKey(tx, { keyId: key.id, overlapSeconds: 0, origin }));
  const outcomes = await Promise.allSettled([rotate(), rotate(), rotate()]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const keys = await allOf(environment.id);
  expect(keys).toHaveLength(2);
  await expect(rotate()).rejects.toMatchObject({
    code: "key_already_rotated",
    status: 409,
    data: { replacedBy: keys[0]?.id },
  });
});

test("a revoked key is not rotated, and a second revocation changes nothing", async () => {
  const { key } = await createMerchant(db);
  const revoke = () => asOperator((tx) => revokeKey(tx, { keyId: key.id, origin }));
  const first = await revoke();
  expect((await revoke()).revokedAt).toEqual(first.revokedAt);
  await expect(asOperator((tx) => rotateKey(tx, { keyId: key.id, origin }))).rejects.toMatchObject({
    code: "key_not_active",
    status: 409,
  });
  const { rows } = await asOperator((tx) => listAudit(tx, { page: 1, limit: 100 }));
  expect(rows.filter(({ action, subjectId }) => action === "key.revoke" && subjectId === key.id)).toHaveLength(1);
});

test("keys are managed in real time in a frozen sandbox, without taking a place in its order of writes", async () => {
  const { environment, key } = await createMerchant(db);
  await inEnvironment(db, environment.id, (tx) =>
    tx
      .updateTable("environment_clocks")
      .set({ mode: "frozen", frozen_at: new Date("2020-01-01T00:00:00Z"), seed: "s" })
      .execute(),
  );
  const { issued } = await asOperator((tx) => rotateKey(tx, { keyId: key.id, origin }));
  expect(issued.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  const clock = await readEnvironment(db, environment.id, (tx) =>
    tx.selectFrom("environment_clocks").select("transaction_number").executeTakeFirst(),
  );
  expect(clock?.transaction_number).toBe(0n);
});
