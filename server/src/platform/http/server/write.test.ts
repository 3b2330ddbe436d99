import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../../testing/app.ts";
import { orderRoutes } from "../../../../testing/platform/routes.ts";
import { inEnvironment } from "../../database/database.ts";
import { commonProblem } from "../../problem.ts";

const made = { count: 0, before: async (): Promise<void> => {} };
const settled: string[] = [];
const testing = await createTestApp({
  extraRoutes: orderRoutes({
    made: async () => {
      made.count += 1;
      await made.before();
    },
  }),
  settleFrozen: async (environmentId) => {
    settled.push(environmentId);
    if (settled.length > 1) throw new Error("the second settling fails");
  },
});
const { call, merchant, otherMerchant } = testing;

const body = { amount: 5, currency: "NGN" };
const withKey = (key: string, content: object = body, secretKey = merchant.secretKey, path = "/orders") =>
  call("POST", path, { body: content, headers: { "idempotency-key": key }, key: secretKey });

async function madeDuring(work: () => Promise<unknown>): Promise<number> {
  const before = made.count;
  await work();
  return made.count - before;
}

describe("an Idempotency-Key", () => {
  test("makes the second request a replay of the first, to the byte", async () => {
    const first = await withKey("replay");
    const again = await withKey("replay");
    expect([again.statusCode, again.body, again.headers["idempotent-replayed"]]).toEqual([201, first.body, "true"]);
    expect(first.headers).not.toHaveProperty("idempotent-replayed");
    expect(again.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
    expect(again.headers["content-type"]).toBe(first.headers["content-type"]);
  });

  test("keeps what was shown and nothing that was not declared", async () => {
    await withKey("declared");
    expect((await withKey("declared")).body).not.toContain("secret");
  });

  test("runs the work of twins once", async () => {
    let replies: Awaited<ReturnType<typeof withKey>>[] = [];
    const count = await madeDuring(async () => {
      replies = await Promise.all(Array.from({ length: 6 }, () => withKey("twins")));
    });
    expect(count).toBe(1);
    expect(new Set(replies.map((reply) => reply.body)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers["idempotent-replayed"] === undefined)).toHaveLength(1);
  });

  test.each([
    ["body", "/orders", { amount: 6, currency: "NGN" }],
    ["path", "/loans/orders", body],
  ])("is refused for another %s", async (what, path, content) => {
    await withKey(`conflict-${what}`);
    const refused = await withKey(`conflict-${what}`, content, merchant.secretKey, path);
    expect([refused.statusCode, refused.json().code]).toEqual([409, "idempotency_key_conflict"]);
  });

  test("of one merchant means nothing to another", async () => {
    const first = await withKey("shared");
    const theirs = await withKey("shared", body, otherMerchant.secretKey);
    expect(theirs.headers).not.toHaveProperty("idempotent-replayed");
    expect(theirs.json().data.id).not.toBe(first.json().data.id);
  });

  test("of a refused request can be used again", async () => {
    made.before = () => Promise.reject(commonProblem("invalid_state"));
    expect((await withKey("refused")).statusCode).toBe(409);
    made.before = async () => {};
    const retried = await withKey("refused");
    expect([retried.statusCode, retried.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  });

  test("works for the operator too", async () => {
    const merchantBody = { name: "Twice", email: "twice@example.com" };
    const make = () =>
      testing.operate("POST", "/operator/merchants", merchantBody, { "idempotency-key": "operator-1" });
    const first = await make();
    const again = await make();
    expect([first.statusCode, again.body, again.headers["idempotent-replayed"]]).toEqual([201, first.body, "true"]);
  });
});

test("without a key every request does its work", async () => {
  expect(
    await madeDuring(() => Promise.all([call("POST", "/orders", { body }), call("POST", "/orders", { body })])),
  ).toBe(2);
});

describe("a write in a frozen sandbox", () => {
  test("settles what became due, and is answered even when that fails", async () => {
    settled.length = 0;
    await call("POST", "/orders", { body });
    expect(settled).toEqual([]);
    await inEnvironment(testing.db, merchant.environment.id, (tx) =>
      sql`insert into environment_clocks (environment_id, mode, frozen_at, seed)
          values (${merchant.environment.id}, 'frozen', '2026-11-01', 'seed')
          on conflict (environment_id) do update set mode = 'frozen', frozen_at = excluded.frozen_at`.execute(tx),
    );
    expect((await call("POST", "/orders", { body })).statusCode).toBe(201);
    expect((await call("POST", "/orders", { body })).statusCode).toBe(201);
    expect(settled).toEqual([merchant.environment.id, merchant.environment.id]);
  });
});
