import { expect, it } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createAuthenticator } from "../auth/authenticate.ts";
import { readBelongings } from "../console/console-store.ts";
import { takeSignInToken } from "../console/sign-in-link.ts";
import { historyClock } from "../demo/history.ts";
import { createMerchant } from "../merchants/create-merchant.ts";
import { listMerchants } from "../merchants/read-merchants.ts";
import { type Database, inEnvironment, operatorScope } from "../platform/database/database.ts";
import { readClock } from "../platform/time/clock-setting.ts";
import { readBalance } from "../wallets/read-wallets.ts";
import { demoSignInLink, ensureDemoKey } from "./first-start.ts";
import { openEnvironment } from "./open-environment.ts";

const origin = { actor: "test", address: "127.0.0.1", requestId: "test" };

function merchantsOf(db: Database) {
  return inEnvironment(db, operatorScope, (tx) => listMerchants(tx, { page: 1, limit: 100 }));
}

async function callerOf(db: Database, key: string | undefined) {
  const authenticator = createAuthenticator({ db });
  try {
    return await authenticator.authenticate(`Bearer ${key}`, "127.0.0.1");
  } finally {
    await authenticator.close();
  }
}

it("the first start makes a demo merchant with one funded sandbox, and later starts keep its key", async () => {
  const { db } = await createTestDatabase();
  const key = await ensureDemoKey(db, undefined);
  expect(await ensureDemoKey(db, key)).toBe(key);
  const { rows } = await merchantsOf(db);
  expect(rows.map((merchant) => merchant.name)).toEqual(["Demo merchant"]);
  expect(rows[0]?.environments.map((environment) => environment.kind)).toEqual(["SANDBOX"]);
  const caller = await callerOf(db, key);
  expect(caller).toMatchObject({ merchantId: rows[0]?.id, kind: "SANDBOX", scopes: ["*"] });
  const balance = await inEnvironment(db, caller.environmentId, (tx) => readBalance(tx));
  expect(balance).toMatchObject({ available: 100_000_000n, held: 0n });
});

it("a sandbox with a history begins on that clock, with its money and the system's accounts", async () => {
  const { db } = await createTestDatabase();
  const key = await ensureDemoKey(db, undefined, historyClock(new Date("2026-11-20T10:00:00.000Z")));
  const { environmentId } = await callerOf(db, key);
  await inEnvironment(db, environmentId, async (tx) => {
    expect(await readClock(tx)).toMatchObject({ mode: "frozen", now: new Date("2026-09-21T07:00:00.000Z") });
    expect(await readBalance(tx)).toMatchObject({ available: 100_000_000n });
  });
});

it("servers that start together make one demo merchant and each get a key that works", async () => {
  const { db } = await createTestDatabase();
  const keys = await Promise.all([1, 2, 3].map(() => ensureDemoKey(db, undefined)));
  const callers = await Promise.all(keys.map((key) => callerOf(db, key)));
  expect(new Set(callers.map((caller) => caller.environmentId)).size).toBe(1);
  expect((await merchantsOf(db)).rows).toHaveLength(1);
});

it("a key that this database does not know is replaced", async () => {
  const { db } = await createTestDatabase();
  const first = await ensureDemoKey(db, undefined);
  const second = await ensureDemoKey(db, "sk_test_of_another_database");
  expect(second).not.toBe(first);
  const callers = await Promise.all([callerOf(db, first), callerOf(db, second)]);
  expect(callers[0]?.environmentId).toBe(callers[1]?.environmentId);
});

it("a database whose operator began with a merchant of their own gets no demo", async () => {
  const { db } = await createTestDatabase();
  const own = { name: "Ade Stores", email: "ade@example.com", origin, environmentOpened: openEnvironment };
  await inEnvironment(db, operatorScope, (tx) => createMerchant(tx, own));
  expect(await ensureDemoKey(db, undefined)).toBeUndefined();
  expect((await merchantsOf(db)).rows).toHaveLength(1);
});

it("each start gives the demo merchant's owner a new link, and the one before opens nothing any more", async () => {
  const { db } = await createTestDatabase();
  expect(await demoSignInLink(db, "http://localhost:4000")).toBeUndefined();
  await ensureDemoKey(db, undefined);
  const first = await demoSignInLink(db, "http://localhost:4000");
  const second = await demoSignInLink(db, "http://localhost:4000");
  expect(first).toMatch(/^http:\/\/localhost:4000\/console\/sign-in\?token=[\w-]{43}$/);
  const tokenOf = (link: string | undefined) => link?.split("token=")[1] ?? "";
  const take = (link: string | undefined) =>
    inEnvironment(db, operatorScope, (tx) => takeSignInToken(tx, tokenOf(link)));
  await expect(take(first)).rejects.toMatchObject({ code: "sign_in_link_invalid" });
  const personId = await take(second);
  const belongings = await inEnvironment(db, operatorScope, (tx) => readBelongings(tx, personId));
  expect(belongings).toMatchObject({
    memberships: [{ merchantName: "Demo merchant", role: "owner" }],
    operatorRole: "admin",
  });
});
