/** A merchant's own keys at the console. */
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { signIn } from "../../testing/console.ts";
import { addEnvironment } from "../merchants/add-environment.ts";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { openEnvironment } from "../start/open-environment.ts";

const testing = await createTestApp();
const { call, db, merchant, otherMerchant } = testing;
const owner = await signIn(testing, { email: "owner@example.com", role: "owner" });
const developer = await signIn(testing, { email: "dev@example.com", role: "developer" });
const finance = await signIn(testing, { email: "finance@example.com", role: "finance" });

const codeOf = async (reply: Promise<{ json(): { code?: string } }>) => (await reply).json().code;

test("a developer makes a key, sees it once, rotates and revokes it, and it is in the trail by name", async () => {
  const made = await developer.call("POST", "/keys", { name: "Till", scopes: ["wallets:read"] });
  expect(made.statusCode).toBe(201);
  const { id, key } = made.json().data;
  expect((await call("GET", "/wallets/balance", { key })).statusCode).toBe(200);
  const listed = await developer.call("GET", "/keys");
  expect(listed.body).not.toContain(key);
  expect(listed.json().data[0]).toMatchObject({ id, name: "Till", scopes: ["wallets:read"] });
  const rotated = await developer.call("POST", `/keys/${id}/rotate`, { overlapSeconds: 0 });
  expect(rotated.statusCode).toBe(201);
  expect(await codeOf(developer.call("POST", `/keys/${id}/rotate`, {}))).toBe("key_already_rotated");
  const successor = rotated.json().data;
  expect((await developer.call("POST", `/keys/${successor.id}/revoke`)).json().data.revokedAt).not.toBeNull();
  expect(await codeOf(developer.call("POST", `/keys/${successor.id}/rotate`, {}))).toBe("key_not_active");
  const trail = (await testing.operate("GET", "/operator/audit?limit=20")).json().data as Record<string, unknown>[];
  expect(trail.filter(({ actor }) => actor === "dev@example.com").map(({ action }) => action)).toEqual(
    expect.arrayContaining(["key.issue", "key.rotate", "key.revoke"]),
  );
});

test("nobody else has anything to do with keys", async () => {
  for (const [method, path] of [
    ["GET", "/keys"],
    ["POST", "/keys"],
  ] as const) {
    const body = method === "POST" ? { name: "Mine" } : undefined;
    expect(await codeOf(finance.call(method, path, body))).toBe("scope_missing");
    expect(await codeOf(call(method, path, body === undefined ? {} : { body }))).toBe("not_found");
  }
  expect(await codeOf(owner.call("POST", "/keys", { name: "Odd", scopes: ["moon:read"] }))).toBe("validation_failed");
});

test("another environment's key is not found", async () => {
  const eve = await signIn(testing, { email: "eve@example.com", role: "owner", merchantId: otherMerchant.merchant.id });
  const { id } = (await owner.call("GET", "/keys")).json().data[0];
  const there = `/console/api/environments/${otherMerchant.environment.id}/keys/${id}`;
  expect(await codeOf(eve.ask("POST", `${there}/revoke`))).toBe("key_not_found");
  expect(await codeOf(eve.ask("POST", `${there}/rotate`, {}))).toBe("key_not_found");
});

test("in a live environment a developer hands out nothing that they may not do themselves", async () => {
  const live = await inEnvironment(db, operatorScope, (tx) =>
    addEnvironment(tx, {
      merchantId: merchant.merchant.id,
      kind: "LIVE",
      name: "Live",
      origin: { actor: "test", address: "127.0.0.1", requestId: "test" },
      environmentOpened: openEnvironment,
    }),
  );
  const keys = `/console/api/environments/${live.id}/keys`;
  expect(await codeOf(developer.ask("POST", keys, { name: "All" }))).toBe("key_beyond_role");
  const paying = { name: "Pays", scopes: ["transfers:write"] };
  const refused = await developer.ask("POST", keys, paying);
  expect([refused.statusCode, refused.json().data]).toEqual([403, { scope: "transfers:write" }]);
  const made = await owner.ask("POST", keys, paying);
  expect(made.statusCode).toBe(201);
  expect(await codeOf(developer.ask("POST", `${keys}/${made.json().data.id}/rotate`, {}))).toBe("key_beyond_role");
  expect((await developer.ask("POST", keys, { name: "Reads", scopes: ["wallets:read"] })).statusCode).toBe(201);
  expect((await developer.ask("POST", `${keys}/${made.json().data.id}/revoke`)).statusCode).toBe(200);
});
