import { describe, expect, test } from "vitest";
import { naira } from "../../../testing/lending/lending.ts";
import { zeroKobo } from "../../money/kobo.ts";
import { type CreditFacts, decide, reasonCodes } from "./decide.ts";
import { nothingRepaid, startingPolicy, tierOf } from "./policy.ts";

const nothing = { openLoans: 0, overdueLoans: 0, writtenOffLoans: 0, exposure: zeroKobo };
const spotless: CreditFacts = {
  ...nothing,
  ...nothingRepaid,
  kycStatus: "verified",
  age: null,
  atLender: nothing,
};
const repaid = (completedLoans: number, amount: string) => ({ completedLoans, repaidAmount: naira(amount) });
const elsewhere = (what: Partial<typeof nothing>) => ({ atLender: { ...nothing, ...what } });

const cases: [string, Partial<CreditFacts>, readonly string[], string][] = [
  ["nothing is known against a new customer", {}, [], "200,000.00"],
  ["KYC is pending", { kycStatus: "pending" }, ["kyc_pending"], "0.00"],
  ["KYC failed", { kycStatus: "failed" }, ["kyc_failed"], "0.00"],
  ["the customer is 17", { age: 17 }, ["underage"], "0.00"],
  ["the customer was born in the future", { age: -3 }, ["underage"], "0.00"],
  ["the customer is 18 today", { age: 18 }, [], "200,000.00"],
  ["a loan is overdue", { openLoans: 1, overdueLoans: 1 }, ["overdue_loan"], "0.00"],
  ["a loan was written off", { writtenOffLoans: 1 }, ["written_off_loan"], "0.00"],
  ["one loan is open", { openLoans: 1, exposure: naira("60,000.00") }, [], "140,000.00"],
  ["two loans are open", { openLoans: 2, exposure: naira("60,000.00") }, ["too_many_open_loans"], "0.00"],
  ["one loan was repaid", repaid(1, "150,000.00"), [], "350,000.00"],
  ["one loan was repaid, a kobo short of the tier", repaid(1, "149,999.99"), [], "200,000.00"],
  ["two loans were repaid", repaid(2, "400,000.00"), [], "350,000.00"],
  ["three loans were repaid", repaid(3, "300,000.00"), [], "500,000.00"],
  ["three small loans were repaid", repaid(3, "15,000.00"), [], "200,000.00"],
  ["three loans were repaid, a kobo short of the tier", repaid(3, "299,999.99"), [], "350,000.00"],
  ["a hundred loans were repaid", repaid(100, "20,000,000.00"), [], "500,000.00"],
  ["exactly the minimum is left", { openLoans: 1, exposure: naira("195,000.00") }, [], "5,000.00"],
  ["a kobo less is left", { openLoans: 1, exposure: naira("195,000.01") }, ["exposure_reached"], "0.00"],
  [
    "more is owed than a lower limit allows",
    { openLoans: 1, exposure: naira("900,000.00") },
    ["exposure_reached"],
    "0.00",
  ],
  ["a loan is open elsewhere", elsewhere({ openLoans: 1, exposure: naira("60,000.00") }), [], "140,000.00"],
  ["two loans are open elsewhere", elsewhere({ openLoans: 2 }), ["lender_limit_reached"], "0.00"],
  ["a loan is overdue elsewhere", elsewhere({ openLoans: 1, overdueLoans: 1 }), ["lender_limit_reached"], "0.00"],
  ["a loan was written off elsewhere", elsewhere({ writtenOffLoans: 1 }), ["lender_limit_reached"], "0.00"],
  ["the limit is used elsewhere", elsewhere({ exposure: naira("195,000.01") }), ["lender_limit_reached"], "0.00"],
  ["the minimum is left elsewhere", elsewhere({ exposure: naira("195,000.00") }), [], "5,000.00"],
  [
    "everything is wrong at once",
    { kycStatus: "failed", age: 5, openLoans: 3, overdueLoans: 1, writtenOffLoans: 1, exposure: naira("900,000.00") },
    ["kyc_failed", "underage", "overdue_loan", "written_off_loan", "too_many_open_loans", "exposure_reached"],
    "0.00",
  ],
];

describe("the credit decision", () => {
  test.each(cases)("when %s", (_, facts, codes, most) => {
    const decision = decide(startingPolicy, { ...spotless, ...facts });
    expect(decision.reasons.map(({ code }) => code)).toEqual(codes);
    expect(decision.eligible).toBe(codes.length === 0);
    expect(decision.minAmount).toBe(naira("5,000.00"));
    expect(decision.maxAmount).toBe(naira(most));
  });

  test("has a sentence for every reason, and no reason that never occurs", () => {
    const seen = new Set(cases.flatMap(([, , codes]) => codes));
    expect([...seen].sort()).toEqual([...reasonCodes].sort());
    for (const [, facts] of cases) {
      for (const { message } of decide(startingPolicy, { ...spotless, ...facts }).reasons) {
        expect(message).toMatch(/^[A-Z].*\. [A-Z].*\.$/);
      }
    }
  });

  test("follows the policy that it is given", () => {
    const strict = { ...startingPolicy, minimumAge: 21, mostOpenLoans: 1 };
    const codes = decide(strict, { ...spotless, age: 20, openLoans: 1 }).reasons.map(({ code }) => code);
    expect(codes).toEqual(["underage", "too_many_open_loans"]);
    expect(() => tierOf({ ...startingPolicy, tiers: [] }, nothingRepaid)).toThrow("has no tier");
  });
});
