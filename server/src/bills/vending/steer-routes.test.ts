import { describe, expect, test } from "vitest";
import { issueKeyFor, issueLiveKeyFor } from "../../../testing/keys.ts";
import { createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";

const { call, vend, work, advance, read, balance, events, truths, differences, db, merchant, otherMerchant } =
  await createBillsApp();

async function pending(category = "airtime"): Promise<string> {
  const { id } = (await vend(category, { reference: freshReference("_PENDING") })).json().data;
  await work();
  expect(await read(id)).toMatchObject({ status: "processing" });
  return id;
}

const steer = (id: string, word: string, options = {}) => call("POST", `/sandbox/bills/${id}/${word}`, options);

describe("steering a bill by hand", () => {
  test("completes one that is in processing, with what the biller delivered", async () => {
    const id = await pending("electricity");
    const reply = await steer(id, "complete");
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toMatchObject({ id, status: "successful", token: expect.stringMatching(/^\d{20}$/) });
    expect(await read(id)).toEqual(reply.json().data);
    expect(await events(id)).toEqual(["bill.successful"]);
  });

  test("fails one and gives the money back", async () => {
    const before = await balance();
    const id = await pending();
    expect((await steer(id, "fail")).json().data).toMatchObject({
      status: "failed",
      failureReason: { code: "vend_refused" },
    });
    expect(await balance()).toEqual(before);
    await advance(2 * 86_400);
    expect(await read(id)).toMatchObject({ status: "failed" });
  });

  test.each([
    ["complete", "successful"],
    ["fail", "failed"],
  ])("can %s one that was not sent yet, and the worker leaves it alone", async (word, status) => {
    const { id } = (await vend("airtime")).json().data;
    expect((await steer(id, word)).json().data.status).toBe(status);
    await work();
    expect(await read(id)).toMatchObject({ status });
    expect(await events(id)).toEqual([`bill.${status}`]);
  });

  test("reverses a successful one: the money comes back, the commission goes", async () => {
    const before = await balance();
    const { id } = (await vend("airtime")).json().data;
    await work();
    expect((await steer(id, "reverse")).json().data).toMatchObject({
      status: "reversed",
      failureReason: { code: "reversed_by_biller" },
    });
    expect(await balance()).toEqual(before);
    expect(await events(id)).toEqual(["bill.successful", "bill.reversed"]);
  });

  test.each(["complete", "fail"])("cannot %s what is final", async (word) => {
    const { id } = (await vend("airtime")).json().data;
    await work();
    const reply = await steer(id, word);
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      409,
      "invalid_state",
      { status: "successful" },
    ]);
  });

  test("cannot reverse what was not delivered", async () => {
    expect((await steer(await pending(), "reverse")).json().code).toBe("invalid_state");
  });

  test("two at once give one outcome", async () => {
    const id = await pending();
    const replies = await Promise.all([steer(id, "complete"), steer(id, "fail")]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await events(id)).toHaveLength(1);
  });

  test("is replayed under its Idempotency-Key", async () => {
    const id = await pending();
    const headers = { "idempotency-key": freshReference() };
    const first = await steer(id, "complete", { headers });
    const again = await steer(id, "complete", { headers });
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
  });

  test("is refused for another's bill, an unknown one, a live key and a key without the scope", async () => {
    const id = await pending();
    const key = otherMerchant.secretKey;
    for (const [subject, options] of [
      [id, { key }],
      ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", {}],
      ["not-a-uuid", {}],
    ] as const) {
      for (const way of ["complete", "fail", "reverse"]) {
        const reply = await steer(subject, way, options);
        expect([reply.statusCode, reply.json().code]).toEqual([404, "bill_not_found"]);
      }
    }
    const live = await issueLiveKeyFor(db, merchant.merchant.id);
    expect((await steer(id, "complete", { key: live })).json().code).toBe("sandbox_only");
    const other = await issueKeyFor(db, merchant.environment.id, { scopes: ["bills:write"] });
    expect((await steer(id, "complete", { key: other })).json().code).toBe("scope_missing");
  });

  test("leaves both books in agreement", async () => {
    await work();
    const { ours, theirs } = await truths();
    expect(ours).toBe(theirs);
    expect(await differences()).toEqual([]);
  });
});
