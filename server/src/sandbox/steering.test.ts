/** Deciding payouts by hand: our record, the money and the bank's books must tell the same story afterwards. */
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant, type TestMerchant } from "../../testing/factories.ts";
import { issueLiveKeyFor } from "../../testing/keys.ts";
import { eventually, withOwner } from "../../testing/work.ts";
import { booksOf } from "./in-books.ts";

const { db, pool, call, tasks, ownerUrl } = await createTestApp();
let merchant: TestMerchant;
let made = 0;

beforeEach(async () => {
  merchant = await createMerchant(db);
  await send("POST", "/sandbox/wallets/fund", { amount: 100_000 });
});

async function send(method: string, path: string, body?: unknown, headers = {}, key = merchant.secretKey) {
  const reply = await call(method, path, { body, headers, key });
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
}

async function pay(ending: string): Promise<{ id: string; sessionId: string | null }> {
  made += 1;
  const transfer = { accountNumber: "0123456789", bankCode: "058", amount: 1_000, currency: "NGN" };
  const { body } = await send("POST", "/transfers", { ...transfer, reference: `steered-${made}${ending}` });
  return body.data;
}

async function work(): Promise<void> {
  for (const loop of tasks.loops) {
    await loop.step();
    await loop.drain?.();
  }
}

async function paid(ending: string) {
  const { id } = await pay(ending);
  await work();
  return (await send("GET", `/transfers/${id}`)).body.data;
}

const steer = (id: string, word: string, headers = {}, key = merchant.secretKey) =>
  send("POST", `/sandbox/transfers/${id}/${word}`, undefined, headers, key);

async function bankSays(sessionId: string): Promise<string | undefined> {
  const found = await booksOf(pool, merchant.environment.id).query<{ status: string }>(
    "select status from simulated_bank.payments where sandbox = $1 and session_id = $2",
    [merchant.environment.id, sessionId],
  );
  return found.rows[0]?.status;
}

/** Does `meanwhile` after the request has read the record and before its transaction writes anything. */
async function whileItWaitsToWrite<Reply>(
  request: (headers: Record<string, string>) => Promise<Reply>,
  meanwhile: () => Promise<void>,
): Promise<Reply> {
  made += 1;
  return withOwner(ownerUrl, async (owner) => {
    await owner.query("begin; lock table idempotency_keys in share row exclusive mode");
    const reply = request({ "idempotency-key": `meanwhile-${made}` });
    await eventually("the request waits to write", async () => {
      const waiting = await owner.query(
        "select from pg_locks where not granted and relation = 'idempotency_keys'::regclass",
      );
      return waiting.rowCount === 1;
    });
    await meanwhile();
    await owner.query("commit");
    return reply;
  });
}

const balance = async () => (await send("GET", "/wallets/balance")).body.data;

describe("POST /sandbox/transfers/{id}/{complete|fail|reverse}", () => {
  test("complete pays what is in progress, in both books", async () => {
    const { id, sessionId, status } = await paid("_PENDING");
    expect([status, await bankSays(sessionId)]).toEqual(["processing", "in_progress"]);
    const steered = await steer(id, "complete");
    expect(steered).toMatchObject({ status: 200, body: { status: true, data: { id, status: "completed" } } });
    expect(await bankSays(sessionId)).toBe("paid");
    expect(await balance()).toMatchObject({ available: 98_989.25, held: 0 });
  });

  test("fail refuses it, in both books, and gives everything back", async () => {
    const { id, sessionId } = await paid("_PENDING");
    expect((await steer(id, "fail")).body.data).toMatchObject({ status: "failed", failureReason: { code: "nip_05" } });
    expect(await bankSays(sessionId)).toBe("refused");
    expect(await balance()).toMatchObject({ available: 100_000, held: 0 });
  });

  test("reverse takes a completed payout back, in both books, fees included", async () => {
    const { id, sessionId, status } = await paid("");
    expect(status).toBe("completed");
    expect((await steer(id, "reverse")).body.data).toMatchObject({ id, status: "reversed" });
    expect(await bankSays(sessionId)).toBe("reversed");
    expect(await balance()).toMatchObject({ available: 100_000, held: 0 });
  });

  test("a waiting payout can be failed before the bank has heard of it, and is never sent", async () => {
    const { id } = await pay("");
    expect((await steer(id, "fail")).body.data).toMatchObject({ status: "failed", sessionId: null });
    await work();
    const orders = await booksOf(pool, merchant.environment.id).query(
      "select from simulated_bank.payments where sandbox = $1",
      [merchant.environment.id],
    );
    expect(orders.rowCount).toBe(0);
    expect(await balance()).toMatchObject({ available: 100_000, held: 0 });
  });

  test.each([
    ["complete", "", "completed"],
    ["fail", "", "completed"],
    ["complete", "_FAIL", "failed"],
    ["reverse", "_FAIL", "failed"],
    ["reverse", "_PENDING", "processing"],
  ])("%s of a payout ending in '%s' is refused, because it is %s", async (word, ending, status) => {
    const { id, sessionId } = await paid(ending);
    const before = await bankSays(sessionId);
    expect(await steer(id, word)).toMatchObject({ status: 409, body: { code: "invalid_state", data: { status } } });
    expect(await bankSays(sessionId)).toBe(before);
  });

  test("is replayed under its Idempotency-Key", async () => {
    const { id } = await paid("_PENDING");
    const headers = { "idempotency-key": `decide-${id}` };
    const first = await steer(id, "complete", headers);
    const second = await steer(id, "complete", headers);
    expect(second).toMatchObject({ status: 200, headers: { "idempotent-replayed": "true" } });
    expect(second.body).toEqual(first.body);
  });

  test.each([
    ["", "completed", 409, "paid"],
    ["_FAIL", "failed", 200, "refused"],
    ["_PENDING", "failed", 200, "refused"],
  ])("fail of a payout '%s' that a worker takes up meanwhile leaves it %s", async (ending, status, code, books) => {
    const { id } = await pay(ending);
    const reply = await whileItWaitsToWrite((headers) => steer(id, "fail", headers), work);
    const { sessionId, ...shown } = (await send("GET", `/transfers/${id}`)).body.data;
    expect({ code: reply.status, status: shown.status, books: await bankSays(sessionId) }).toEqual({
      code,
      status,
      books,
    });
    expect((await balance()).available).toBe(status === "failed" ? 100_000 : 98_989.25);
  });

  test("of opposite decisions at the same time one holds, in both books", async () => {
    const { id, sessionId } = await paid("_PENDING");
    const replies = await Promise.all([steer(id, "complete"), steer(id, "fail")]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409]);
    const { status } = (await send("GET", `/transfers/${id}`)).body.data;
    expect(await bankSays(sessionId)).toBe(status === "completed" ? "paid" : "refused");
    expect((await balance()).held).toBe(0);
  });

  test.each(["complete", "fail", "reverse"])(
    "%s finds nothing of another merchant, and refuses a live key",
    async (word) => {
      const { id } = await paid("_PENDING");
      const other = await createMerchant(db);
      const notFound = { status: 404, body: { code: "transfer_not_found" } };
      expect(await steer(id, word, {}, other.secretKey)).toMatchObject(notFound);
      expect(await steer("not-an-id", word)).toMatchObject(notFound);
      const live = await issueLiveKeyFor(db, merchant.merchant.id);
      expect(await steer(id, word, {}, live)).toMatchObject({ status: 403, body: { code: "sandbox_only" } });
    },
  );
});
