/** A person's session in place of a key: what it opens, and what it must not. */
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { fromPage, makeLink, makePerson, redeem, signIn } from "../../testing/console.ts";

const testing = await createTestApp();
const { app, merchant, otherMerchant } = testing;
const ada = await signIn(testing, { email: "ada@example.com", role: "owner", operator: "admin" });
const sandbox = `/console/api/environments/${merchant.environment.id}`;

const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];

test("a link signs its person in, who is told for whom they work", async () => {
  const me = await ada.ask("GET", "/console/api/me");
  expect(me.statusCode).toBe(200);
  expect(me.json().data).toEqual({
    user: {
      id: ada.personId,
      email: "ada@example.com",
      name: "ada",
      hasPassword: false,
      twoFactorEnabled: false,
      recoveryCodesLeft: 0,
      hasPasskey: false,
    },
    merchants: [
      {
        id: merchant.merchant.id,
        name: "Mama Put Foods",
        role: "owner",
        environments: [{ id: merchant.environment.id, kind: "SANDBOX", name: "Sandbox" }],
      },
    ],
    operator: { role: "admin" },
    signedInAt: expect.any(String),
    stepUpUntil: expect.any(String),
    proofWays: [],
  });
});

test("a session reads and writes the public API in its own environment", async () => {
  const direct = await testing.call("GET", "/wallets/balance");
  const through = await ada.call("GET", "/wallets/balance");
  expect([through.statusCode, through.json()]).toEqual([200, direct.json()]);
  const made = await ada.call("POST", "/sandbox/wallets/fund", { amount: 100 });
  expect(made.statusCode).toBe(201);
  expect((await ada.call("GET", "/loans?page=1")).json().status).toBe("success");
});

test("what a person changes is in the audit trail under their name, and what they read is not", async () => {
  await ada.call("POST", "/sandbox/wallets/fund", { amount: 5 });
  await ada.call("GET", "/wallets/balance?fresh=1");
  const { data } = (await ada.ask("GET", "/console/api/operator/audit?limit=1")).json();
  expect(data[0]).toMatchObject({
    actor: "ada@example.com",
    action: "console.request",
    subjectType: "person",
    subjectId: ada.personId,
    environmentId: merchant.environment.id,
    detail: { method: "POST", path: "/sandbox/wallets/fund" },
  });
});

test("an operator's person acts under their own name", async () => {
  const body = { name: "Bola Stores", email: "bola@example.com" };
  expect((await ada.ask("POST", "/console/api/operator/merchants", body)).statusCode).toBe(201);
  const { data } = (await testing.operate("GET", "/operator/audit?limit=1")).json();
  expect(data[0]).toMatchObject({ actor: "ada@example.com", action: "merchant.create" });
});

describe("without a right to it", () => {
  test("nobody comes in without a session, with a made-up one, or with a key", async () => {
    const name = ada.cookie.split("=")[0] ?? "";
    const headers: Record<string, string>[] = [
      {},
      { cookie: `${name}=made-up` },
      { cookie: ada.cookie.replace(/.$/, "x") },
      { authorization: `Bearer ${merchant.secretKey}` },
      { authorization: `Bearer ${testing.operatorToken}` },
    ];
    for (const path of [`${sandbox}/wallets/balance`, "/console/api/operator/merchants", "/console/api/me"]) {
      for (const sent of headers) {
        expect(codeOf(await app.inject({ url: path, headers: sent })), path).toEqual([401, "not_signed_in"]);
      }
    }
  });

  test("the token that the database holds is no cookie", async () => {
    const name = ada.cookie.split("=")[0] ?? "";
    const { token } = await testing.db.selectFrom("person_sessions").select("token").executeTakeFirstOrThrow();
    const reply = await app.inject({ url: "/console/api/me", headers: { cookie: `${name}=${token}` } });
    expect(codeOf(reply)).toEqual([401, "not_signed_in"]);
  });

  test("a cookie opens nothing where the prefix is missing", async () => {
    const headers = { cookie: ada.cookie, ...fromPage };
    for (const url of ["/wallets/balance", "/transfers", "/operator/merchants"]) {
      expect(codeOf(await app.inject({ url, headers })), url).toEqual([401, "missing_key"]);
    }
  });

  test.each([
    [
      "another merchant's environment",
      () => `/console/api/environments/${otherMerchant.environment.id}/wallets/balance`,
    ],
    ["one that nobody has", () => "/console/api/environments/01932c5e-0000-7000-8000-000000000000/wallets/balance"],
    ["the operator's scope", () => "/console/api/environments/00000000-0000-0000-0000-000000000000/wallets/balance"],
  ])("%s is not found", async (_, path) => {
    expect(codeOf(await ada.ask("GET", path()))).toEqual([404, "environment_not_found"]);
  });

  test.each([
    ["an operator's route", `${sandbox}/operator/merchants`],
    ["a page's route", `${sandbox}/hosted/checkout`],
    ["the process itself", `${sandbox}/metrics`],
    ["a door behind the door", `${sandbox}/console/api/operator/merchants`],
    ["people", `${sandbox}/console/api/me`],
    ["an environment that is no id", "/console/api/environments/x/wallets/balance"],
  ])("an environment's door does not lead to %s", async (_, path) => {
    expect(codeOf(await ada.ask("GET", path))).toEqual([404, "not_found"]);
  });

  test("who works for a merchant is no operator", async () => {
    const bola = await signIn(testing, { email: "bola@example.com", role: "owner" });
    const reply = await bola.ask("GET", "/console/api/operator/merchants");
    expect([codeOf(reply), reply.json().data]).toEqual([[403, "role_missing"], { role: null }]);
  });
});

describe("another site", () => {
  const post = (headers: Readonly<Record<string, string>>, url = `${sandbox}/sandbox/wallets/fund`) =>
    app.inject({ method: "POST", url, headers: { cookie: ada.cookie, ...headers }, payload: { amount: 1 } });

  test.each<[string, Record<string, string>]>([
    ["without an origin", { "x-jara-console": "1" }],
    ["without our header", { origin: fromPage.origin }],
    ["with another value of it", { ...fromPage, "x-jara-console": "0" }],
    ["from another site", { ...fromPage, origin: "https://evil.example" }],
    ["from a page without a site", { ...fromPage, origin: "null" }],
    ["from another port", { ...fromPage, origin: "http://localhost:4001" }],
    ["from a host that only begins like ours", { ...fromPage, origin: "http://localhost:4000.evil.example" }],
  ])("cannot change anything %s", async (_, headers) => {
    for (const url of [undefined, "/console/api/operator/merchants", "/console/api/auth/sign-out"]) {
      expect(codeOf(await post(headers, url))).toEqual([403, "cross_site_request"]);
    }
  });

  test("finds no door in capitals, behind which nobody would ask where a change comes from", async () => {
    const url = `${sandbox}/sandbox/wallets/fund`.replace("/console/api", "/CONSOLE/API");
    expect((await post({ origin: "https://evil.example" }, url)).statusCode).toBe(404);
  });

  test("cannot sign a visitor in as somebody else", async () => {
    const token = await makeLink(testing, await makePerson(testing, { email: "thief@example.com" }));
    const headers = { origin: "https://evil.example", "x-jara-console": "1" };
    const reply = await app.inject({ method: "POST", url: "/console/api/sign-in-link", headers, payload: { token } });
    expect(codeOf(reply)).toEqual([403, "cross_site_request"]);
    expect((await redeem(testing, token)).statusCode).toBe(200);
  });

  test("is told apart from a local server under another of its names", async () => {
    const reply = await post({ ...fromPage, host: "127.0.0.1:4000", origin: "http://127.0.0.1:4000" });
    expect(reply.statusCode).toBe(201);
  });
});

describe("a sign-in link", () => {
  const made = async () => makeLink(testing, await makePerson(testing, { email: "dayo@example.com", role: "viewer" }));

  test("works once, also when two use it at the same moment", async () => {
    const token = await made();
    const replies = await Promise.all([redeem(testing, token), redeem(testing, token)]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
    expect(codeOf(await redeem(testing, token))).toEqual([401, "sign_in_link_invalid"]);
  });

  test("ends when the next one is made", async () => {
    const [first, second] = [await made(), await made()];
    expect(codeOf(await redeem(testing, first))).toEqual([401, "sign_in_link_invalid"]);
    expect((await redeem(testing, second)).statusCode).toBe(200);
  });

  test("gives each visitor a session of their own", async () => {
    const one = await signIn(testing, { email: "dayo@example.com", role: "viewer" });
    const other = await signIn(testing, { email: "dayo@example.com", role: "viewer" });
    expect(one.cookie).not.toBe(other.cookie);
    expect((await one.ask("GET", "/console/api/me")).statusCode).toBe(200);
  });
});
