/** What Paystack's words about cards mean, and that nothing else is ever taken for money. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import type { WireReply } from "../provider-client.ts";
import { classifyLink, classifyOrder, classifyRefund, linkAmount, readToken } from "./card.ts";
import { classifyCardQuery, classifyCharge, classifyStart } from "./classify-card.ts";

const expected = { reference: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", amount: kobo(500_000n), mode: "live" } as const;
const refund = { transactionId: "7", amount: kobo(500_000n), note: "n", mode: "live" } as const;
const now = "Mon, 16 Nov 2026 10:00:00 GMT";
const answer = (status: number, body: unknown): WireReply => ({ kind: "answer", status, body, headers: { date: now } });
const granted = (data: unknown) => answer(200, { status: true, message: "ok", data });
const refused = (status: number, message: string, code?: string) => answer(status, { status: false, message, code });
const record = (status: string, changes: object = {}) => ({
  id: 7,
  reference: expected.reference,
  status,
  amount: 500_000,
  currency: "NGN",
  domain: "live",
  created_at: "2026-11-16T09:59:00.000Z",
  ...changes,
});

test.each([
  ["success", "success"],
  ["failed", "declined"],
  ["reversed", "taken_back"],
  ["abandoned", "unknown"],
  ["ongoing", "unknown"],
  ["pending", "unknown"],
  ["processing", "unknown"],
  ["queued", "unknown"],
  ["a new word", "unknown"],
  ["", "unknown"],
])("the word %j about a charge is %s", (word, outcome) => {
  expect(classifyCardQuery(granted(record(word)), expected).outcome).toBe(outcome);
  const charged = classifyCharge(granted(record(word)), expected).outcome;
  expect(charged).toBe(outcome === "taken_back" ? "unknown" : outcome);
});

test.each([
  ["processed", "success"],
  ["failed", "declined"],
  ["pending", "unknown"],
  ["processing", "unknown"],
  ["needs-attention", "unknown"],
  ["reversed", "unknown"],
])("the word %s about a refund is %s", (status, outcome) => {
  expect(classifyRefund({ id: 1, status, amount: "500000", currency: "NGN" }, refund).outcome).toBe(outcome);
});

test.each([
  [400, "Duplicate Transaction Reference", "unknown"],
  [400, "Authorization code is invalid", "declined"],
  [400, "Email does not match Authorization code. Please confirm.", "declined"],
  [404, "Authorization code not found", "declined"],
  [400, "Something new", "unknown"],
  [401, "Invalid key", "unknown"],
  [403, "Your IP address is not allowed", "unknown"],
  [429, "Too many requests", "unknown"],
  [500, "Authorization code is invalid", "unknown"],
])("a charge that is refused with %i %s is %s", (status, message, outcome) => {
  expect(classifyCharge(refused(status, message), expected).outcome).toBe(outcome);
});

test.each([
  [401, "keys_refused"],
  [403, "address_refused"],
])("%i holds the connection", (status, reason) => {
  for (const said of [
    classifyCharge(refused(status, ""), expected),
    classifyCardQuery(refused(status, ""), expected),
    classifyLink(refused(status, ""), expected),
    classifyStart(refused(status, ""), expected),
    classifyOrder(refused(status, ""), refund).answer,
  ]) {
    expect(said).toMatchObject({ outcome: "unknown", hold: { reason } });
  }
});

test.each([
  ["a page that is not safe", { authorization_url: "javascript:alert(1)" }],
  ["a page without TLS", { authorization_url: "http://checkout.paystack.com/a" }],
  ["no page", {}],
  ["a status beside it", { authorization_url: "https://checkout.paystack.com/a", status: "success" }],
  ["another reference", { authorization_url: "https://checkout.paystack.com/a", reference: "x" }],
])("a paused charge with %s is unknown, with an alarm", (_, fields) => {
  const said = classifyCharge(granted({ paused: true, ...fields }), expected);
  expect(said).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
});

test.each(["reference", "amount", "currency", "domain"])("a success without its %s is unknown", (name) => {
  const reply = granted({ ...record("success"), [name]: undefined });
  expect(classifyCardQuery(reply, expected)).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
});

test("a page is started only under our reference, and a refused e-mail is the holder's", () => {
  for (const url of ["https://checkout.paystack.com/a", "http://127.0.0.1:4101/pay/a"]) {
    const page = { authorization_url: url, reference: expected.reference };
    expect(classifyStart(granted(page), expected)).toEqual({ outcome: "started", redirectUrl: url });
  }
  const page = { authorization_url: "https://checkout.paystack.com/a", reference: "x" };
  expect(classifyStart(granted(page), expected).outcome).toBe("unknown");
  expect(classifyStart(refused(400, "Invalid Email Address Passed"), expected).outcome).toBe("declined");
  expect(classifyStart(refused(400, "Duplicate Transaction Reference"), expected).outcome).toBe("unknown");
});

test("what is not a token of ours is not read", () => {
  expect(["", "{}", "[]", "null", "1", '{"email":1}'].map(readToken)).toEqual(Array(6).fill(undefined));
});

describe("whatever arrives", () => {
  const word = fc.constantFrom("success", "failed", "reversed", "abandoned", "processed", "pending", "x");
  const data = fc.record(
    {
      id: fc.oneof(fc.nat(), fc.string()),
      reference: fc.oneof(fc.constant(expected.reference), fc.string()),
      status: fc.oneof(word, fc.anything()),
      amount: fc.oneof(fc.constantFrom(500_000, "500000", 5_000), fc.anything()),
      requested_amount: fc.oneof(fc.constantFrom(500_000, 5_000, null), fc.anything()),
      currency: fc.constantFrom("NGN", "USD", null),
      domain: fc.constantFrom("live", "test", undefined),
      paused: fc.boolean(),
      authorization_url: fc.webUrl(),
      authorization: fc.object(),
      customer: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(fc.anything(), fc.record({ status: fc.boolean(), message: fc.string(), data }));
  const reply: fc.Arbitrary<WireReply> = fc.oneof(
    fc.record({
      kind: fc.constant("answer" as const),
      status: fc.constantFrom(200, 201, 302, 400, 401, 403, 404, 422, 429, 500, 502),
      body,
      headers: fc.constant({}),
    }),
    fc.record({ kind: fc.constantFrom("not_sent" as const, "no_answer" as const), why: fc.string() }),
  );

  test("nothing throws, and money is seen only with every fact of the order", () => {
    fc.assert(
      fc.property(reply, (said) => {
        const linking = { ...expected, amount: linkAmount };
        const facts =
          said.kind === "answer" ? ((said.body as { data?: Record<string, unknown> } | null)?.data ?? {}) : {};
        for (const { outcome } of [classifyCharge(said, expected), classifyCardQuery(said, expected)]) {
          if (outcome !== "success") continue;
          expect(facts).toMatchObject({ status: "success", reference: expected.reference, domain: "live" });
          expect(Number(facts["requested_amount"] ?? facts["amount"])).toBe(500_000);
        }
        classifyStart(said, expected);
        const link = classifyLink(said, linking);
        if (link.outcome === "paid") expect(facts).toMatchObject({ reference: expected.reference, currency: "NGN" });
        const { answer: given } = classifyOrder(said, refund);
        if (given.outcome === "success") expect(facts).toMatchObject({ status: "processed", currency: "NGN" });
      }),
      { numRuns: 3_000 },
    );
  });
});
