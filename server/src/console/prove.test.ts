/** Proving again to be it, before money moves by hand. */
import { beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { ageSessions, signIn, type Visitor } from "../../testing/console.ts";
import { issueLiveKeyFor } from "../../testing/keys.ts";
import { isDocumented } from "../platform/http/route.ts";
import { wantsProof } from "../platform/http/wants-proof.ts";
import { appRoutes } from "../start/app.ts";

const testing = await createTestApp();
const { app, operate } = testing;
const password = "correct horse battery";
const liveKey = await issueLiveKeyFor(testing.db, testing.merchant.merchant.id);
const routes = appRoutes(testing.dependencies);
const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];

const ada = await signIn(testing, { email: "ada@example.com", role: "owner", operator: "admin" });
const me = (await ada.ask("GET", "/console/api/me")).json().data;
const live = me.merchants[0].environments.find(({ kind }: { kind: string }) => kind === "LIVE").id;

const payout = {
  accountNumber: "0123456789",
  bankCode: "058",
  amount: 100,
  currency: "NGN",
  narration: "Rider",
  reference: "proof-1",
};
const pay = (who: Visitor, headers = {}, body: object = payout) =>
  who.ask("POST", `/console/api/environments/${live}/transfers`, body, headers);
const prove = (who: Visitor, given: string) => who.ask("POST", "/console/api/prove", { password: given });

beforeAll(async () => {
  expect((await ada.ask("POST", "/console/api/password", { newPassword: password })).statusCode).toBe(200);
});

describe("where money is real", () => {
  test("who has just signed in is not asked", async () => {
    expect(codeOf(await pay(ada))[1]).not.toBe("proof_needed");
    expect(me.stepUpUntil).not.toBeNull();
  });

  test("ten minutes later a person proves it, and sends the same request again under the same key", async () => {
    await ageSessions(testing);
    const key = { "idempotency-key": "the-same" };
    const body = { ...payout, reference: "proof-2" };
    const refused = await pay(ada, key, body);
    expect(codeOf(refused)).toEqual([403, "proof_needed"]);
    expect(refused.json().data).toEqual({ ways: ["password"] });
    expect((await ada.ask("GET", "/console/api/me")).json().data).toMatchObject({
      stepUpUntil: null,
      proofWays: ["password"],
    });
    const proven = await prove(ada, password);
    expect(proven.statusCode).toBe(200);
    const minutes = (Date.parse(proven.json().data.provenUntil) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThanOrEqual(10);
    expect(codeOf(await pay(ada, key, body))[1]).not.toBe("proof_needed");
  });

  test("a proof counts for its own session, and for ten minutes", async () => {
    const other = await signIn(testing, { email: "ada@example.com" });
    await ageSessions(testing);
    expect((await prove(ada, password)).statusCode).toBe(200);
    expect(codeOf(await pay(other))).toEqual([403, "proof_needed"]);
    await ageSessions(testing);
    expect(codeOf(await pay(ada))).toEqual([403, "proof_needed"]);
  });

  test("a key is never asked", async () => {
    const headers = { authorization: `Bearer ${liveKey}` };
    const reply = await app.inject({ method: "POST", url: "/transfers", headers, payload: payout });
    expect(reply.json().code).not.toBe("proof_needed");
  });

  test("a refused write leaves no line in the trail, and a proof leaves one without the password", async () => {
    await ageSessions(testing);
    await prove(ada, password);
    const newest = async () => (await operate("GET", "/operator/audit?limit=1")).json().data[0];
    const proof = await newest();
    expect(proof).toMatchObject({ actor: "ada@example.com", action: "person.prove", subjectId: ada.personId });
    expect(JSON.stringify(proof)).not.toContain(password);
    await ageSessions(testing);
    await pay(ada);
    expect(await newest()).toEqual(proof);
  });
});

test("the sandbox is open to its people without a proof", async () => {
  await ageSessions(testing);
  expect((await ada.call("POST", "/sandbox/wallets/fund", { amount: 100 })).statusCode).toBe(201);
  expect(codeOf(await ada.call("POST", "/transfers", { nonsense: true }))[1]).toBe("validation_failed");
});

test("every route wants a proof exactly where its description says so", async () => {
  await ageSessions(testing);
  const someId = "01932c5e-0000-7000-8000-000000000000";
  for (const route of routes.filter(isDocumented)) {
    if (route.path.endsWith("/stream")) continue;
    const prefix = route.guard === "key" ? `/console/api/environments/${live}` : "/console/api";
    const body = route.method === "GET" || route.method === "DELETE" ? undefined : { nonsense: true };
    const reply = await ada.ask(route.method, prefix + route.path.replaceAll(/\{\w+\}/g, someId), body);
    const asked = reply.statusCode === 403 && reply.json().code === "proof_needed";
    const isSandboxes = route.guard === "key" && route.sandboxOnly === true;
    const wanted = !isSandboxes && wantsProof(route, route.guard === "key" ? "LIVE" : null);
    expect([route.method, route.path, asked]).toEqual([route.method, route.path, wanted]);
  }
});

test("what stops harm, or only asks, wants none; what moves money always does", () => {
  const free = routes.filter(({ method, withoutProof }) => method !== "GET" && withoutProof === true);
  const names = free.map(({ method, path }) => `${method} ${path}`);
  expect(names).toEqual(
    expect.arrayContaining(["POST /operator/keys/{id}/revoke", "POST /events/{id}/redeliver", "POST /loans/quote"]),
  );
  const moving = /\/(transfers|bulk|vend|repayments|refund|credit|debit|disburse|deposits|withdrawals|keys|people)$/;
  expect(names.filter((name) => moving.test(name))).toEqual([]);
});

describe("a proof is refused", () => {
  test("with a wrong password", async () => {
    expect(codeOf(await prove(ada, "not the password"))).toEqual([403, "proof_wrong"]);
  });

  test("to a person who has no password, who can only sign in again", async () => {
    const bola = await signIn(testing, { email: "bola@example.com", role: "finance" });
    await ageSessions(testing);
    const refused = await pay(bola);
    expect([codeOf(refused), refused.json().data]).toEqual([[403, "proof_needed"], { ways: [] }]);
    expect(codeOf(await prove(bola, password))).toEqual([403, "proof_wrong"]);
    expect(codeOf(await bola.ask("POST", "/console/api/password", { newPassword: password }))).toEqual([
      403,
      "proof_needed",
    ]);
    const again = await signIn(testing, { email: "bola@example.com" });
    expect((await again.ask("POST", "/console/api/password", { newPassword: password })).statusCode).toBe(200);
  });

  test("to who guesses, and then also with the right one", async () => {
    const dayo = await signIn(testing, { email: "dayo@example.com", role: "finance" });
    expect((await dayo.ask("POST", "/console/api/password", { newPassword: password })).statusCode).toBe(200);
    const outcomes: number[] = [];
    for (let n = 0; n < 12; n += 1) outcomes.push((await prove(dayo, "guess number x")).statusCode);
    expect([outcomes.slice(0, 10), outcomes.at(-1)]).toEqual([Array(10).fill(403), 429]);
    expect(codeOf(await prove(dayo, password))).toEqual([429, "rate_limited"]);
  });
});
