import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lender, product, terms } from "../../../testing/checkout/terms.ts";
import { type Kobo, kobo, nairaString } from "../../money/kobo.ts";
import { type ConsentTerms, canonicalJson, hashTerms } from "./terms.ts";
import { complaintsText, conditionsText, lateFeeText, statementText } from "./terms-text.ts";

describe("the late fee in words", () => {
  test("names the share, the smallest fee and the days of grace", () => {
    expect(lateFeeText(product)).toBe(
      "A payment that is still open 1 day after its due date costs a late fee of 1% of that payment, " +
        "at least NGN 100.00, once for each payment.",
    );
  });

  test.each([
    [0, "0 days"],
    [1, "1 day"],
    [5, "5 days"],
  ])("says %i days as %s", (graceDays, words) => {
    expect(lateFeeText({ ...product, graceDays })).toContain(`still open ${words} after`);
  });

  test.each([
    [2_500n, "0.25%"],
    [10_000n, "1%"],
    [12_345n, "1.2345%"],
  ])("says %s parts per million as %s", (rate, words) => {
    expect(lateFeeText({ ...product, lateFee: { rate, minimum: kobo(0n) } })).toContain(`a late fee of ${words} of`);
  });
});

describe("what the customer ticks", () => {
  const statement = (amount: Kobo, totalRepayment: Kobo) =>
    statementText(lender, { merchant: "Ada's Shop", amount, totalRepayment });

  test("says who lends, under which registration, to pay whom, and what is repaid", () => {
    expect(statement(kobo(6_000_000n), kobo(6_450_000n))).toBe(
      "I borrow NGN 60,000.00 from Ajo Credit Ltd (FCCPC/DL/2026/77) to pay Ada's Shop, and repay " +
        "NGN 64,500.00 by card on the dates shown. I have read the fees, the late fee and the conditions.",
    );
  });

  test.each([
    [1n, "NGN 0.01"],
    [99_999n, "NGN 999.99"],
    [100_000n, "NGN 1,000.00"],
    [99_999_999n, "NGN 999,999.99"],
    [100_000_000n, "NGN 1,000,000.00"],
  ])("writes %s kobo as %s", (amount, words) => {
    expect(statement(kobo(amount), kobo(amount))).toContain(`I borrow ${words} from`);
  });

  test("shows every amount to the kobo, with commas and nothing else added", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (amount) => {
        const [, words = ""] = /^I borrow NGN ([\d,.]+) from/.exec(statement(kobo(amount), kobo(amount))) ?? [];
        expect(words.replaceAll(",", "")).toBe(nairaString(kobo(amount)));
        expect(words).toMatch(/^\d{1,3}(,\d{3})*\.\d{2}$/);
      }),
    );
  });
});

test("a complaint goes to the lender first and to the regulator then", () => {
  expect(complaintsText(lender)).toBe(
    "If something is wrong, write to Ajo Credit Ltd at help@ajo.ng or call 0700 111 2222. " +
      "If that does not help, complain to the FCCPC: fccpc.gov.ng.",
  );
});

test("the conditions name the merchant, and that paying early is allowed and lowers nothing", () => {
  const conditions = conditionsText("Ada's Shop");
  expect(conditions[0]).toBe("Due dates count from the day on which Ada's Shop is paid.");
  expect(conditions.filter((line) => line.includes("pay early") && line.includes("does not lower"))).toHaveLength(1);
  for (const line of conditions) expect(line).toMatch(/^[A-Z].*\.$/);
});

describe("the hash of terms", () => {
  test("is the same after the terms went through the database, whatever the order of their members", () => {
    const stored: object = JSON.parse(JSON.stringify(terms));
    const turned = Object.fromEntries(Object.entries(stored).toReversed());
    const hashed = createHash("sha256").update(canonicalJson(turned)).digest("hex");
    expect(hashed).toBe(hashTerms(terms).toString("hex"));
  });

  test.each<[string, Partial<ConsentTerms>]>([
    ["amount", { amount: "60000.01" }],
    ["rate", { interest_rate: 2.51 }],
    ["merchant", { merchant: "Ada's shop" }],
    ["lender", { lender: "Another" }],
    ["due date", { schedule: terms.schedule.map((each) => ({ ...each, due_date: "2026-12-03" })) }],
    ["number of instalments", { schedule: [...terms.schedule, ...terms.schedule] }],
    ["statement", { statement: "I borrow " }],
    ["late fee that was not there", { late_fee: "" }],
  ])("is another with another %s", (_, change) => {
    expect(hashTerms({ ...terms, ...change })).not.toEqual(hashTerms(terms));
  });

  test("is made of a text that is JSON and says the same", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("does not depend on the order of members at any depth, and does on that of lists", () => {
    const turn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turn);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, member]) => [name, turn(member)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(canonicalJson(turn(value))).toBe(canonicalJson(value));
      }),
    );
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });
});
