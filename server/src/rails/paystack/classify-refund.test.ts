import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import type { WireReply } from "../provider-client.ts";
import { classifyOrder, classifyRefund, findOurs } from "./card.ts";

const expected = { transactionId: "1", amount: kobo(5_000n), note: "jara refund 1", mode: "live" } as const;
const row = { id: 3018284, amount: 5000, currency: "NGN", domain: "live", status: "processed" };
const answer = (status: number, body: unknown): WireReply => ({ kind: "answer", status, body, headers: {} });

describe("a refund that Paystack calls", () => {
  test.each([
    ["processed", "success"],
    ["failed", "declined"],
    ["pending", "unknown"],
    ["processing", "unknown"],
    ["needs-attention", "unknown"],
    ["reversed", "unknown"],
    ["FAILED", "unknown"],
    ["", "unknown"],
    [null, "unknown"],
    [undefined, "unknown"],
  ])("%j is %s", (status, outcome) => {
    expect(classifyRefund({ ...row, status }, expected).outcome).toBe(outcome);
  });

  test.each([
    ["another amount", { amount: 4999 }],
    ["no amount", { amount: undefined }],
    ["another currency", { currency: "GHS" }],
    ["the other mode", { domain: "test" }],
  ])("processed or failed, with %s, settles nothing and calls a person", (_, change) => {
    for (const status of ["processed", "failed"]) {
      expect(classifyRefund({ ...row, ...change, status }, expected)).toMatchObject({
        outcome: "unknown",
        alarm: expect.stringContaining("another amount, currency or mode"),
      });
    }
  });

  test("needs-attention says to a person where to help", () => {
    expect(classifyRefund({ ...row, status: "needs-attention" }, expected)).toMatchObject({
      alarm: expect.stringContaining("dashboard"),
      trace: { providerReference: "3018284" },
    });
  });

  test("anything else is never success and never failure", () => {
    const words = fc.string().filter((word) => word !== "processed" && word !== "failed");
    fc.assert(
      fc.property(words, (status) => {
        expect(classifyRefund({ ...row, status }, expected).outcome).toBe("unknown");
      }),
    );
  });
});

describe("the order of a refund", () => {
  test("that was taken is what its record says", () => {
    expect(classifyOrder(answer(200, { status: true, data: row }), expected)).toMatchObject({
      isOrdered: true,
      answer: { outcome: "success" },
    });
  });

  test.each([
    ["a refusal in words", 400, { status: false, message: "Transaction has not been settled" }, "refund_refused"],
    ["one that was given back elsewhere", 400, { status: false, code: "transaction_reversed" }, "refunded_elsewhere"],
    [
      "the same, told in words",
      400,
      { status: false, message: "Transaction has been fully reversed" },
      "refunded_elsewhere",
    ],
  ])("%s is declined", (_, status, body, code) => {
    expect(classifyOrder(answer(status, body), expected)).toMatchObject({
      isOrdered: false,
      answer: { outcome: "declined", code },
    });
  });

  test.each([
    ["try again later", answer(400, { status: false, message: "Please try again later" })],
    ["an empty balance", answer(400, { status: false, message: "Your balance is not enough" })],
    ["refused keys", answer(401, { status: false, message: "Invalid key" })],
    ["a broken server", answer(500, { status: false, message: "Transaction cannot be refunded" })],
    ["a page of a proxy", answer(400, undefined)],
    ["a refusal that has data", answer(400, { status: false, message: "No", data: row })],
    ["success without a record", answer(200, { status: true })],
    ["no reply", { kind: "no_answer", why: "UND_ERR_SOCKET" } as const],
    ["nothing sent", { kind: "not_sent", why: "ENOTFOUND" } as const],
  ])("%s settles nothing", (_, reply) => {
    expect(classifyOrder(reply, expected)).toMatchObject({ isOrdered: false, answer: { outcome: "unknown" } });
  });
});

test("ours is found by its whole note, and by nothing like it", () => {
  const rows = [
    null,
    "x",
    { merchant_note: "jara refund 11" },
    { merchant_note: "JARA REFUND 1" },
    { id: 9, merchant_note: expected.note },
  ];
  expect(findOurs(rows, expected)).toMatchObject({ id: 9 });
  expect(findOurs(rows.slice(0, 4), expected)).toBeUndefined();
});
