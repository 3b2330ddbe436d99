import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import type { VendQuestion } from "../biller.ts";
import { deliveryIn } from "./classify.ts";

const prepaid: VendQuestion = {
  environmentId: "e",
  requestId: "r",
  category: "electricity",
  meterType: "prepaid",
  amount: kobo(100_000n),
};
const digits = "26362054405982757802";

describe("the token of a prepaid meter", () => {
  test.each([
    ["bare", { token: digits }],
    ["in groups", { token: "2636 2054 4059 8275 7802" }],
    ["with hyphens", { mainToken: "2636-2054-4059-8275-7802" }],
    ["after a word", { purchased_code: `Token : ${digits}` }],
    ["after a word without a blank", { purchased_code: `token:${digits}` }],
    ["deep in the reply", { content: { transactions: { Token: digits } } }],
    ["behind something that is not one", { mainToken: "N/A", token: "pending", purchased_code: digits }],
  ])("is found %s", (_, body) => {
    expect(deliveryIn(body, prepaid)?.token).toBe(digits);
  });

  test.each([
    ["none", {}],
    ["nineteen digits", { token: digits.slice(1) }],
    ["twenty-one digits", { token: `${digits}1` }],
    ["letters", { token: `Token : ${digits.slice(1)}X` }],
    ["nothing but blanks", { token: "   " }],
    ["null", { token: null }],
    ["an object", { token: { value: digits } }],
  ])("%s is not a delivery: the customer would hold nothing", (_, body) => {
    expect(deliveryIn(body, prepaid)).toBeUndefined();
  });
});

test.each([
  [{ units: "30.5" }, "30.50"],
  [{ mainTokenUnits: 30 }, "30.00"],
  [{ Units: "1,030.559 kWh" }, "1030.55"],
  [{ PurchasedUnits: "0030.1" }, "30.10"],
  [{ units: "many" }, null],
  [{ units: "-5" }, null],
  [{}, null],
])("the units of %j are %j", (body, units) => {
  expect(deliveryIn({ ...body, token: digits }, prepaid)?.units).toBe(units);
});

test.each([
  ["a postpaid meter", { ...prepaid, meterType: "postpaid" } as const],
  ["airtime", { ...prepaid, category: "airtime", meterType: null } as const],
])("%s needs no token, and gets none", (_, question) => {
  expect(deliveryIn({ token: digits, exchangeReference: "x-1" }, question)).toEqual({
    token: null,
    units: null,
    receiptNumber: "x-1",
  });
});

test("the receipt is the exchange's, else the transaction's, else none", () => {
  const content = { transactions: { transactionId: "t-1" } };
  const airtime = { ...prepaid, category: "airtime", meterType: null } as const;
  const receipts = [{ exchangeReference: "x", content }, { content }, {}].map(
    (body) => deliveryIn(body, airtime)?.receiptNumber,
  );
  expect(receipts).toEqual(["x", "t-1", null]);
});
