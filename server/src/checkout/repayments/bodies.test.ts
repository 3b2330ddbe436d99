/** Refunds of goods and of credit as a merchant sends them. */
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { repaymentChannels } from "../../lending/position/repayment.ts";
import { creditRefundBody, reductionBody } from "./schemas.ts";

const goods = { amount: 10_000, reason: "One item was returned", reference: "refund-1042" };
const credit = { amount: 1_500, reference: "credit-1042", channel: "cash" };

describe.each([
  ["goods", reductionBody, goods],
  ["credit", creditRefundBody, credit],
] as const)("a refund of %s", (_, schema, body) => {
  const complaints = complaintsOf(schema);
  const fieldsOf = (change: object) => Object.keys(complaints({ ...body, ...change }));

  test("is taken with all of its fields: each one that is missing is named", () => {
    expect(complaints(body)).toEqual({});
    expect(Object.keys(complaints({})).sort()).toEqual(Object.keys(body).sort());
  });

  test.each([0.01, 99.99, 1_000_000_000])("may be of %d naira", (amount) => {
    expect(fieldsOf({ amount })).toEqual([]);
  });

  test.each([0, -1, 0.001, 1_000_000_000.01, "1500", null])("is not of %j naira", (amount) => {
    expect(fieldsOf({ amount })).toEqual(["amount"]);
  });

  test.each(["", "x".repeat(101), null, 1_042])("has not the reference %j", (reference) => {
    expect(fieldsOf({ reference })).toEqual(["reference"]);
  });
});

test.each(["", "  ", "x".repeat(501), null])("goods are not refunded for the reason %j", (reason) => {
  expect(Object.keys(complaintsOf(reductionBody)({ ...goods, reason }))).toEqual(["reason"]);
});

describe("the way back of a credit", () => {
  const complaints = complaintsOf(creditRefundBody);

  test.each(repaymentChannels)("may be %s", (channel) => {
    expect(complaints({ ...credit, channel })).toEqual({});
  });

  test.each(["CASH", "cheque", "", null])("is not %j", (channel) => {
    expect(Object.keys(complaints({ ...credit, channel }))).toEqual(["channel"]);
  });
});
