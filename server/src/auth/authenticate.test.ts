import { afterEach, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant, testOrigin } from "../../testing/factories.ts";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { createAuthenticator } from "./authenticate.ts";
import { type IssueKey, issueKey } from "./issue-key.ts";
import { listKeys } from "./list-keys.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import { makeSecretKey } from "./secret-key.ts";

const { db, pool } = await createTestDatabase();
const address = "198.51.100.7";

afterEach(() => void vi.useRealTimers());

async function createKey(limits: Partial<IssueKey> = {}) {
  const { environment } = await createMerchant(db);
  return inEnvironment(db, operatorScope, (tx) =>
    issueKey(tx, { environmentId: environment.id, name: "Limited", origin: testOrigin, ...limits }),
  );
}

/** A guard with an empty memory, as a process has that was just started. */
const freshly = (header: string | undefined, from = address) => createAuthenticator({ db }).authenticate(header, from);

const refusal = (code: string, status = 401) =>
  expect.objectContaining(
    status === 401 ? { code, status, headers: { "WWW-Authenticate": "Bearer" } } : { code, status },
  );

test("a key tells whose it is", async () => {
  const { merchant, environment, key, secretKey } = await createMerchant(db);
  expect(await freshly(`Bearer ${secretKey}`)).toEqual({
    environmentId: environment.id,
    kind: "SANDBOX",
    merchantId: merchant.id,
    holderId: key.id,
    scopes: ["*"],
    person: null,
    recheck: expect.any(Function),
  });
  expect(await freshly(`bearer  ${secretKey}`)).toMatchObject({ holderId: key.id });
});

test.each([
  { header: undefined, code: "missing_key" },
  { header: "", code: "missing_key" },
  { header: "Bearer", code: "invalid_key" },
  { header: "Basic c2s6", code: "invalid_key" },
  { header: "Bearer sk_test_short", code: "invalid_key" },
  { header: `Bearer ${makeSecretKey("LIVE")}`, code: "invalid_key" },
  { header: `Bearer op_${"a".repeat(40)}`, code: "invalid_key" },
  { header: `Bearer ${makeSecretKey("SANDBOX")} x`, code: "invalid_key" },
])("the header $header is refused with $code", async ({ header, code }) => {
  await expect(freshly(header)).rejects.toEqual(refusal(code));
});

test("a key with a wrong checksum is refused without asking the database", async () => {
  const query = vi.spyOn(pool, "connect");
  const wrong = `${makeSecretKey("SANDBOX").slice(0, -1)}_`;
  await expect(freshly(`Bearer ${wrong}`)).rejects.toEqual(refusal("invalid_key"));
  expect(query).not.toHaveBeenCalled();
  query.mockRestore();
});

test("a key works until its end and not at it", async () => {
  const expiresAt = new Date(Date.now() + 60_000);
  const { key } = await createKey({ expiresAt });
  const guard = createAuthenticator({ db });
  expect(await guard.authenticate(`Bearer ${key}`, address)).toBeDefined();
  vi.useFakeTimers({ toFake: ["Date"], now: expiresAt });
  // The answer is still remembered: the end is compared on every request.
  await expect(guard.authenticate(`Bearer ${key}`, address)).rejects.toEqual(refusal("key_expired"));
});

test("a key is taken from its addresses only", async () => {
  const { key } = await createKey({ allowedAddresses: ["203.0.113.0/24", "2001:db8::/32"] });
  expect(await freshly(`Bearer ${key}`, "203.0.113.80")).toBeDefined();
  expect(await freshly(`Bearer ${key}`, "::ffff:203.0.113.80")).toBeDefined();
  expect(await freshly(`Bearer ${key}`, "2001:db8::7")).toBeDefined();
  await expect(freshly(`Bearer ${key}`, "198.51.100.7")).rejects.toEqual(refusal("address_not_allowed", 403));
});

test("a revoked key stops within five seconds in a process that has just used it, and at once in others", async () => {
  const { id, key } = await createKey();
  const busy = createAuthenticator({ db });
  await busy.authenticate(`Bearer ${key}`, address);
  await inEnvironment(db, operatorScope, (tx) => revokeKey(tx, { keyId: id, origin: testOrigin }));
  const revokedAt = performance.now();
  await expect(freshly(`Bearer ${key}`)).rejects.toEqual(refusal("key_revoked"));
  let lastTakenAt = revokedAt;
  const isTaken = async () => {
    const askedAt = performance.now();
    await busy.authenticate(`Bearer ${key}`, address);
    lastTakenAt = askedAt;
  };
  await expect.poll(() => isTaken().catch((error: unknown) => error)).toEqual(refusal("key_revoked"));
  expect(lastTakenAt - revokedAt).toBeLessThan(5_000);
});

test("after a rotation both keys work, and after the overlap only the new one", async () => {
  const old = await createKey();
  const command = { keyId: old.id, overlapSeconds: 3_600, origin: testOrigin };
  const { issued } = await inEnvironment(db, operatorScope, (tx) => rotateKey(tx, command));
  expect((await freshly(`Bearer ${old.key}`)).holderId).toBe(old.id);
  expect((await freshly(`Bearer ${issued.key}`)).holderId).toBe(issued.id);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_601_000 });
  await expect(freshly(`Bearer ${old.key}`)).rejects.toEqual(refusal("key_expired"));
  expect((await freshly(`Bearer ${issued.key}`)).holderId).toBe(issued.id);
});

test("the last use is written when the guard flushes or closes, not on the request", async () => {
  const { key, environmentId } = await createKey();
  const guard = createAuthenticator({ db });
  const lastUse = async () => {
    const page = { page: 1, limit: 10 };
    const { rows } = await inEnvironment(db, operatorScope, (tx) => listKeys(tx, environmentId, page));
    return rows[0]?.lastUsedAt ?? null;
  };
  await guard.authenticate(`Bearer ${key}`, address);
  expect(await lastUse()).toBeNull();
  await guard.close();
  const first = await lastUse();
  expect(first?.getTime()).toBeGreaterThan(Date.now() - 10_000);

  // A slower process that flushes an older use does not turn the time back.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  const late = createAuthenticator({ db });
  await late.authenticate(`Bearer ${key}`, address);
  await late.flush();
  expect(await lastUse()).toEqual(first);
  await late.close();
});

test("a refused key is not noted as used", async () => {
  const { key, environmentId } = await createKey({ allowedAddresses: ["203.0.113.7"] });
  const guard = createAuthenticator({ db });
  await expect(guard.authenticate(`Bearer ${key}`, address)).rejects.toThrow();
  await guard.close();
  const { rows } = await inEnvironment(db, operatorScope, (tx) => listKeys(tx, environmentId, { page: 1, limit: 1 }));
  expect(rows[0]?.lastUsedAt).toBeNull();
});
