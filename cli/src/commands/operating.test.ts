/** What operators do from the command line: merchants and keys. */
import { expect, test } from "vitest";
import { jara, pages, refusal } from "../../testing/in-process.ts";

const env = { JARA_OPERATOR_TOKEN: "op_secret" };
const at = "2026-11-16T23:30:00.000Z";
const merchant = (number: number, environments = [{ id: `e-${number}`, kind: "SANDBOX", name: "Sandbox" }]) => ({
  id: `m-${number}`,
  name: `Merchant ${number}`,
  email: "owner@example.com",
  createdAt: at,
  environments,
});
const key = (number: number, more: object = {}) => ({
  id: `k-${number}`,
  name: `Key ${number}`,
  prefix: "sk_test_ab",
  createdAt: at,
  lastUsedAt: null,
  revokedAt: null,
  expiresAt: null,
  ...more,
});

test("the operator's token goes along, and is never printed", async () => {
  const { out, err, asked } = await jara("merchants list", {
    env,
    replies: { "GET /operator/merchants": pages([merchant(1)]) },
  });
  expect(asked[0]?.headers.get("authorization")).toBe("Bearer op_secret");
  expect(out + err).not.toContain("op_secret");
});

test("without a token nothing is asked", async () => {
  const { code, err, asked } = await jara("merchants list");
  expect(code).toBe(4);
  expect(err).toContain("Set JARA_OPERATOR_TOKEN");
  expect(asked).toEqual([]);
});

test("a merchant is made, and what comes next is said", async () => {
  const { out, asked } = await jara(["merchants", "create", "--name", "Mama Put", "--email", "o@example.com"], {
    env,
    replies: { "POST /operator/merchants": () => merchant(1) },
  });
  expect(asked[0]?.body).toEqual({ name: "Mama Put", email: "o@example.com" });
  expect(asked[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
  expect(out).toContain("jara keys create e-1 --name Server");
});

test("a merchant without an environment is listed all the same", async () => {
  const { out } = await jara("merchants list", {
    env,
    replies: { "GET /operator/merchants": pages([merchant(1, [])]) },
  });
  expect(out).toContain("Merchant 1");
});

test.each([
  [1, 1],
  [100, 1],
  [150, 2],
  [1_000, 3],
])("of 250 merchants at most %i are wanted: %i pages are read", async (limit, read) => {
  const { out, asked } = await jara(`merchants list --limit ${limit} --json`, {
    env,
    replies: { "GET /operator/merchants": pages(Array.from({ length: 250 }, (_, at) => merchant(at))) },
  });
  expect(JSON.parse(out)).toHaveLength(Math.min(limit, 250));
  expect(asked).toHaveLength(read);
});

test("all keys of an environment are listed, also those of the second page", async () => {
  const { out } = await jara("keys list e-1", {
    env,
    replies: { "GET /operator/environments/e-1/keys": pages(Array.from({ length: 101 }, (_, at) => key(at))) },
  });
  expect(out).toContain("Key 100");
});

test("a key says whether it works: revoked and expired ones do not", async () => {
  const { out } = await jara("keys list e-1", {
    env,
    replies: {
      "GET /operator/environments/e-1/keys": pages([
        key(1),
        key(2, { revokedAt: at }),
        key(3, { expiresAt: "2020-01-01T00:00:00.000Z" }),
        key(4, { expiresAt: "2999-01-01T00:00:00.000Z" }),
      ]),
    },
  });
  const states = out.split("\n").flatMap((line) => /^Key \d.*?(works|revoked|expired)/.exec(line)?.[1] ?? []);
  expect(states).toEqual(["works", "revoked", "expired", "works"]);
});

test("a new key is shown once, with that word", async () => {
  const { out, asked } = await jara("keys create e-1 --name Server", {
    env,
    replies: { "POST /operator/environments/e-1/keys": () => ({ ...key(1), key: "sk_test_new" }) },
  });
  expect(out).toContain("sk_test_new");
  expect(out).toContain("It is shown this once.");
  expect(asked[0]?.body).toEqual({ name: "Server" });
});

test("an old key goes on for the overlap that was asked for", async () => {
  const { asked } = await jara("keys rotate k-1 --overlap 60", {
    env,
    replies: { "POST /operator/keys/k-1/rotate": () => ({ ...key(2), key: "sk_test_new" }) },
  });
  expect(asked[0]?.body).toEqual({ overlapSeconds: 60 });
});

test("an id that would be another address is written as one", async () => {
  const { asked } = await jara(["keys", "revoke", "../merchants"], { env });
  expect(asked[0]?.path).toBe("/operator/keys/..%2Fmerchants/revoke");
});

test("a refusal is told with its fields and the request, by the code of its kind", async () => {
  const errors = [{ field: "email", message: "must be an address" }];
  const refused = await jara(["merchants", "create", "--name", "M", "--email", "nobody"], {
    env,
    replies: { "POST /operator/merchants": () => refusal(422, "validation_failed", "Check it.", { errors }) },
  });
  expect(refused.code).toBe(5);
  expect(refused.err).toContain("email must be an address");
  expect(refused.err).toContain("validation_failed, request req_1");
  const wrong = await jara("merchants list", {
    env,
    replies: { "GET /operator/merchants": () => refusal(401, "invalid_token", "Not that token.") },
  });
  expect(wrong.code).toBe(4);
});

test("a server that is not there, or is somebody else, is told as that", async () => {
  const away = await jara("merchants list", {
    env,
    replies: {
      "GET /operator/merchants": () => {
        throw new TypeError("fetch failed");
      },
    },
  });
  expect(away).toMatchObject({ code: 3, err: expect.stringContaining("No Jara server replies at http://jara.test.") });
  const other = await jara("merchants list", {
    env,
    replies: { "GET /operator/merchants": () => new Response("<html>", { status: 502 }) },
  });
  expect(other).toMatchObject({ code: 5, err: expect.stringContaining("The server returned 502.") });
});
