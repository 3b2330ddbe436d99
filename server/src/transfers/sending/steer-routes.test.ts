import { describe, expect, test } from "vitest";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";
import { booksOf } from "../../sandbox/in-books.ts";

const { call, pay, work, balance, read, merchant, otherMerchant, db, pool } = await createPayingApp();

async function payPending(): Promise<string> {
  const { id } = (await pay({ reference: freshReference("_PENDING") })).json().data;
  await work();
  expect(await read(id)).toMatchObject({ status: "processing" });
  return id;
}

async function bankSays(id: string): Promise<string | undefined> {
  const found = await booksOf(pool, merchant.environment.id).query<{ status: string }>(
    "select status from simulated_bank.payments where sandbox = $1 and session_id = $2",
    [merchant.environment.id, String((await read(id))["sessionId"])],
  );
  return found.rows[0]?.status;
}

const steer = (id: string, word: string, options = {}) => call("POST", `/sandbox/transfers/${id}/${word}`, options);

describe("steering a payout by hand", () => {
  test("completes one that is in processing, in the bank's books too", async () => {
    const id = await payPending();
    const reply = await steer(id, "complete");
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toMatchObject({ id, status: "completed", completedAt: expect.any(String) });
    expect(await bankSays(id)).toBe("paid");
    expect(await read(id)).toEqual(reply.json().data);
  });

  test("fails one and gives amount and fees back", async () => {
    const before = await balance();
    const id = await payPending();
    const reply = await steer(id, "fail");
    expect(reply.json().data).toMatchObject({ status: "failed", failureReason: { code: "nip_05" } });
    expect(await bankSays(id)).toBe("refused");
    expect(await balance()).toEqual(before);
  });

  test("fails one that was not sent yet", async () => {
    const { id } = (await pay()).json().data;
    expect((await steer(id, "fail")).json().data.status).toBe("failed");
    await work();
    expect(await read(id)).toMatchObject({ status: "failed", sessionId: null });
  });

  test("reverses a completed one and gives amount and fees back", async () => {
    const before = await balance();
    const { id } = (await pay()).json().data;
    await work();
    const reply = await steer(id, "reverse");
    expect(reply.json().data).toMatchObject({ status: "reversed", failureReason: { code: "reversed_by_bank" } });
    expect(await bankSays(id)).toBe("reversed");
    expect(await balance()).toEqual(before);
  });

  test.each([
    ["complete", "complete"],
    ["complete", "fail"],
    ["fail", "complete"],
    ["fail", "reverse"],
  ])("refuses after %s to %s", async (first, second) => {
    const id = await payPending();
    await steer(id, first);
    const before = await balance();
    const reply = await steer(id, second);
    expect([reply.statusCode, reply.json().code]).toEqual([409, "invalid_state"]);
    expect(reply.json().data).toEqual({ status: first === "complete" ? "completed" : "failed" });
    expect(await balance()).toEqual(before);
  });

  test("decides once when asked ten times at once", async () => {
    const before = await balance();
    const id = await payPending();
    const replies = await Promise.all(Array.from({ length: 10 }, () => steer(id, "fail")));
    // A caller that finds it decided the same way gets it; one that comes later is refused.
    const statuses = new Set(replies.map((reply) => reply.statusCode));
    expect(statuses).toContain(200);
    expect(statuses.difference(new Set([200, 409]))).toEqual(new Set());
    expect(await balance()).toEqual(before);
  });

  test("replays under an Idempotency-Key", async () => {
    const id = await payPending();
    const headers = { "idempotency-key": `steer-${id}` };
    const first = await steer(id, "complete", { headers });
    const again = await steer(id, "complete", { headers });
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  test("does not find another merchant's payout, or none", async () => {
    const id = await payPending();
    for (const wanted of [id, "01932c70-4d5e-7f60-8a1b-2c3d4e5f6071", "nothing"]) {
      const reply = await steer(wanted, "complete", { key: otherMerchant.secretKey });
      expect([reply.statusCode, reply.json().code]).toEqual([404, "transfer_not_found"]);
    }
  });

  test("is for sandboxes only", async () => {
    const key = await issueLiveKeyFor(db, merchant.merchant.id);
    const reply = await steer("01932c70-4d5e-7f60-8a1b-2c3d4e5f6071", "complete", { key });
    expect([reply.statusCode, reply.json().code]).toEqual([403, "sandbox_only"]);
  });
});
