import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import type { VendQuestion } from "../biller.ts";
import type { WireReply } from "../provider-client.ts";
import { parseWireJson } from "../wire-json.ts";
import { classifyCustomer } from "./biller.ts";
import { classifyRequery, classifyVend } from "./classify.ts";
import { failedCodes, holdCodes, refusalCodes } from "./codes.ts";

const requestId = "2026111610220123456789abcdef0123456789abcdef";
const airtime: VendQuestion = {
  environmentId: "e",
  requestId,
  category: "airtime",
  meterType: null,
  amount: kobo(100_000n),
};
const prepaid: VendQuestion = { ...airtime, category: "electricity", meterType: "prepaid" };

const answer = (body: unknown, status = 200): WireReply => ({ kind: "answer", status, body, headers: {} });
const transaction = { status: "delivered", unit_price: 1000, total_amount: 985, amount: 1000, transactionId: "17" };
const whole = { code: "000", requestId, amount: "1000.00", content: { transactions: transaction } };
const withStatus = (status: unknown, code = "000") => ({
  ...whole,
  code,
  content: { transactions: { ...transaction, status } },
});

describe("the words of a processed transaction", () => {
  test.each([
    ["delivered", "success", "success"],
    [" Delivered ", "success", "success"],
    ["initiated", "unknown", "unknown"],
    ["pending", "unknown", "unknown"],
    ["resolved", "unknown", "unknown"],
    ["successful", "unknown", "unknown"],
    ["failed", "failure", "failure"],
    ["reversed", "failure", "taken_back"],
    ["", "unknown", "unknown"],
    [null, "unknown", "unknown"],
    [["delivered"], "unknown", "unknown"],
  ])("%s is %s for an order and %s for a question", (status, ofVend, ofQuery) => {
    const reply = answer(withStatus(status));
    expect(classifyVend(reply, airtime).outcome).toBe(ofVend);
    expect(classifyRequery(reply, airtime).outcome).toBe(ofQuery);
  });

  test.each([
    [{ code: "000", requestId }],
    [{ code: "000", requestId, content: [] }],
    [{ code: "000", content: null }],
  ])("000 without a transaction is unknown: %o", (body) => {
    expect(classifyVend(answer(body), airtime)).toMatchObject({ outcome: "unknown", code: "000" });
    expect(classifyRequery(answer(body), airtime)).toMatchObject({ outcome: "unknown", code: "000" });
  });
});

describe("the codes", () => {
  const noTransaction = (code: unknown) =>
    answer({ code, response_description: "WORDS OF VTPASS", content: { errors: [] } });

  test.each([...failedCodes.keys()])("%s is a failure, whoever tells it", (code) => {
    expect(classifyVend(noTransaction(code), airtime)).toMatchObject({ outcome: "failure", code });
    expect(classifyRequery(noTransaction(code), airtime)).toMatchObject({ outcome: "failure", code });
  });

  test.each([...refusalCodes.keys()])("%s refuses an order and says nothing to a question", (code) => {
    expect(classifyVend(noTransaction(code), airtime)).toMatchObject({ outcome: "failure", code });
    expect(classifyRequery(noTransaction(code), airtime)).toEqual({ outcome: "unknown", code });
  });

  test.each([...holdCodes])("%s holds the connection: %s", (code, reason) => {
    const held = { outcome: "unknown", code: null, hold: { reason, message: "WORDS OF VTPASS" } };
    for (const status of [200, 400, 401, 403]) {
      const reply = answer({ code, response_description: "WORDS OF VTPASS" }, status);
      expect(classifyVend(reply, airtime)).toEqual(held);
      expect(classifyRequery(reply, airtime)).toEqual(held);
      expect(classifyCustomer(reply, "tv")).toEqual({ found: "unavailable", hold: held.hold });
    }
  });

  test("040 is a failure of a new order and a taken back old one", () => {
    expect(classifyVend(noTransaction("040"), airtime)).toMatchObject({ outcome: "failure", code: "040" });
    expect(classifyRequery(noTransaction("040"), airtime)).toMatchObject({ outcome: "taken_back", code: "040" });
  });

  test("015 is no record for a question and nothing for an order", () => {
    expect(classifyRequery(noTransaction("015"), airtime)).toEqual({ outcome: "no_record" });
    expect(classifyVend(noTransaction("015"), airtime)).toEqual({ outcome: "unknown", code: "015" });
    expect(classifyRequery(answer({ ...whole, code: "015" }), airtime)).toMatchObject({ outcome: "unknown" });
  });

  test.each(["001", "014", "019", "020", "044", "083", "089", "099", "0ZZ", "999", "", "00", 0, 16, null, {}])(
    "%o settles nothing",
    (code) => {
      expect(classifyVend(noTransaction(code), airtime).outcome).toBe("unknown");
      expect(classifyRequery(noTransaction(code), airtime).outcome).toBe("unknown");
    },
  );

  test("a product that our account may not sell is refused, and people are told", () => {
    expect(classifyVend(noTransaction("028"), airtime)).toMatchObject({
      alarm: expect.stringContaining("WORDS OF VTPASS"),
    });
  });
});

describe("replies that say nothing", () => {
  test.each<[string, WireReply]>([
    ["it never left", { kind: "not_sent", why: "ECONNREFUSED" }],
    ["no answer", { kind: "no_answer", why: "UND_ERR_SOCKET" }],
    ["a page", answer(undefined)],
    ["a page of a proxy", answer(undefined, 404)],
    ["an error of the server", answer(whole, 500)],
    ["a failure with an error of the server", answer({ ...whole, code: "016" }, 502)],
    ["too many requests", answer({ code: "016" }, 429)],
    ["a redirect", answer(undefined, 302)],
    ["a list", answer([whole])],
  ])("%s is unknown", (_, reply) => {
    expect(classifyVend(reply, airtime)).toEqual({ outcome: "unknown", code: null });
    expect(classifyRequery(reply, airtime)).toEqual({ outcome: "unknown", code: null });
  });

  test.each([401, 403])("status %i means that our keys are refused", (status) => {
    expect(classifyVend(answer(undefined, status), airtime)).toMatchObject({ hold: { reason: "keys_refused" } });
  });
});

describe("delivered, and not what was ordered", () => {
  test.each<[string, unknown, object]>([
    ["another id", { ...whole, requestId: "202611161022ff" }, { alarm: expect.any(String) }],
    ["no id", { ...whole, requestId: undefined }, { code: "no_request_id" }],
    [
      "another price",
      { ...whole, content: { transactions: { ...transaction, unit_price: 1001 } } },
      { code: "amount_differs" },
    ],
    [
      "no price",
      { ...whole, amount: null, content: { transactions: { status: "delivered" } } },
      { code: "amount_differs" },
    ],
    ["and failed at once", { ...whole, code: "016" }, { alarm: expect.any(String) }],
    ["and refused at once", { ...whole, code: "011" }, { alarm: expect.any(String) }],
    ["and reversed at once", { ...whole, code: "040" }, { alarm: expect.any(String) }],
  ])("%s is unknown", (_, body, expected) => {
    expect(classifyVend(answer(body), airtime)).toMatchObject({ outcome: "unknown", ...expected });
    expect(classifyRequery(answer(body), airtime)).toMatchObject({ outcome: "unknown", ...expected });
  });

  test.each([1000, "1000", "1000.00", "1,000.00", "1000.0000"])("the price may be written %o", (unit_price) => {
    const body = { ...whole, content: { transactions: { ...transaction, unit_price } } };
    expect(classifyVend(answer(body), airtime)).toMatchObject({
      outcome: "success",
      trace: { providerReference: "17" },
    });
  });

  test("what our wallet was debited is not the price", () => {
    const body = { ...whole, amount: "985.00", content: { transactions: { ...transaction, unit_price: 985 } } };
    expect(classifyVend(answer(body), airtime).outcome).toBe("unknown");
  });
});

describe("the token of a prepaid meter", () => {
  const token = "26362054405982757802";
  test.each<[object, string | null]>([
    [{ token, units: "79.9 kWh" }, "79.90"],
    [{ mainToken: token, mainTokenUnits: 79.9 }, "79.90"],
    [{ Token: token, Units: "1,079.999kwh" }, "1079.99"],
    [{ purchased_code: `Token : ${token}`, PurchasedUnits: "16666.6666666667" }, "16666.66"],
    [{ purchased_code: `Token: ${token}`, units: "N/A" }, null],
    [{ token: "2636 2054 4059 8275 7802" }, null],
    [{ token: "2636-2054-4059-8275-7802", units: "" }, null],
    [{ token: "N/A", purchased_code: token }, null],
    [{ content: { transactions: { ...transaction, token } } }, null],
  ])("is found in %o", (shape, units) => {
    const answered = classifyVend(answer(parseWireJson(JSON.stringify({ ...whole, ...shape }))), prepaid);
    expect(answered).toMatchObject({ outcome: "success", delivery: { token, units, receiptNumber: "17" } });
  });

  test.each([{}, { token: "N/A" }, { token: "123" }, { token: `${token}1` }, { purchased_code: "" }])(
    "is asked for again while it is missing: %o",
    (shape) => {
      expect(classifyVend(answer({ ...whole, ...shape }), prepaid)).toMatchObject({
        outcome: "unknown",
        code: "token_missing",
      });
      expect(classifyRequery(answer({ ...whole, ...shape }), prepaid)).toMatchObject({ code: "token_missing" });
    },
  );

  test("a postpaid meter has none", () => {
    const postpaid: VendQuestion = { ...prepaid, meterType: "postpaid" };
    expect(classifyVend(answer({ ...whole, token }), postpaid)).toMatchObject({
      delivery: { token: null, units: null },
    });
  });
});

describe("whatever arrives", () => {
  const outcomes = new Set(["success", "failure", "unknown", "no_record", "taken_back"]);
  const someJson = fc.oneof(
    fc.jsonValue(),
    fc.record({
      code: fc.oneof(fc.constantFrom("000", "016", "040", "015", "028"), fc.jsonValue()),
      requestId: fc.oneof(fc.constant(requestId), fc.jsonValue()),
      amount: fc.jsonValue(),
      token: fc.jsonValue(),
      content: fc.oneof(
        fc.record({
          transactions: fc.record({
            status: fc.oneof(fc.constantFrom("delivered", "failed"), fc.jsonValue()),
            unit_price: fc.oneof(fc.constant(1000), fc.jsonValue()),
          }),
        }),
        fc.jsonValue(),
      ),
    }),
  );

  test("is one of our answers, and success only with the exact facts", () => {
    fc.assert(
      fc.property(someJson, fc.integer({ min: 100, max: 599 }), (body, status) => {
        const reply = answer(body, status);
        for (const found of [classifyVend(reply, airtime), classifyRequery(reply, airtime)]) {
          expect(outcomes.has(found.outcome)).toBe(true);
          if (found.outcome !== "success") continue;
          expect(body).toMatchObject({ code: expect.stringMatching(/^\s*000\s*$/), requestId });
          expect(JSON.stringify(body)).toMatch(/delivered/i);
        }
        expect(["yes", "no", "unavailable"]).toContain(classifyCustomer(reply, "tv").found);
      }),
      { numRuns: 2_000 },
    );
  });

  test("bytes that are no JSON say nothing", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const body = parseWireJson(Buffer.from(bytes).toString("utf8"));
        expect(classifyVend(answer(body), airtime).outcome).toBe("unknown");
      }),
    );
  });
});
