import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LoanProduct } from "../lending/pricing/product.ts";
import { standardProduct } from "../lending/pricing/products.ts";
import { quote } from "../lending/pricing/quote.ts";
import { kobo } from "../money/kobo.ts";
import { Problem } from "../platform/problem.ts";
import { checkTerms } from "./check-terms.ts";
import { readApplication } from "./read-application.ts";
import { presentQuote, readQuoteTerms } from "./schedule-routes.ts";

const product: LoanProduct = { ...standardProduct, id: "p", version: 1 };
const good = {
  first_name: " Adaeze ",
  last_name: "Okafor",
  phone: "0803 123 4567",
  nin: "12345678901",
  bvn: "22123456789",
  amount: "50000.5",
  tenure_type: "monthly",
  email: "adaeze@example.com",
  tenure: "3",
  bank_code: "058",
  account_number: "0123456789",
  longitude: "3.3792",
  latitude: "6.5244",
};
const read = (changes: object = {}, base: object = good) =>
  readApplication({ ...base, ...changes }, "LIVE", (terms) => checkTerms(product, terms));

function errorsOf(work: () => unknown): readonly { readonly field: string; readonly message: string }[] {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem && error.code === "validation_failed") return error.errors;
    throw error;
  }
  return [];
}
const fieldsOf = (work: () => unknown) => errorsOf(work).map(({ field }) => field);

describe("an application", () => {
  test("is read in kobo, with the phone as the world writes it and no blanks around names", () => {
    expect(read()).toEqual({
      firstName: "Adaeze",
      lastName: "Okafor",
      phone: "+2348031234567",
      email: "adaeze@example.com",
      nin: "12345678901",
      bvn: "22123456789",
      amount: 5_000_050n,
      tenor: 3,
      tenorType: "monthly",
      bankCode: "058",
      accountNumber: "0123456789",
      latitude: "6.5244",
      longitude: "3.3792",
    });
  });

  test.each<[string, unknown]>([
    ["first_name", ""],
    ["first_name", "   "],
    ["last_name", 7],
    ["phone", "+447911123456"],
    ["phone", "08031234"],
    ["nin", "1234567890"],
    ["nin", 12_345_678_901],
    ["bvn", "2212345678x"],
    ["amount", "50,000"],
    ["amount", "50000.005"],
    ["amount", "-50000"],
    ["amount", "1e5"],
    ["amount", 50_000],
    ["amount", "0"],
    ["amount", "999.99"],
    ["amount", "5000000.01"],
    ["tenure", "0"],
    ["tenure", "03"],
    ["tenure", "3.5"],
    ["tenure", "25"],
    ["tenure_type", "yearly"],
    ["email", "adaeze"],
    ["bank_code", "000"],
    ["bank_code", "999"],
    ["account_number", "012345678"],
    ["longitude", "180.1"],
    ["latitude", "-90.1"],
    ["latitude", "north"],
  ])("with %s = %j is refused for that field alone", (field, value) => {
    expect(fieldsOf(() => read({ [field]: value }))).toEqual([field]);
  });

  test("without anything names every field once, in the order of the specification", () => {
    const fields = fieldsOf(() => read({}, {}));
    expect(fields).toEqual(Object.keys(good));
  });

  test("tells the wrong form and the wrong terms together", () => {
    const fields = fieldsOf(() => read({ amount: "1", tenure: "99", bank_code: "000", email: "x" }));
    expect(fields).toEqual(["amount", "email", "tenure", "bank_code"]);
  });

  test("does not call a tenure too long whose unit is not known", () => {
    expect(fieldsOf(() => read({ tenure: "80", tenure_type: "yearly" }))).toEqual(["tenure_type"]);
    expect(fieldsOf(() => read({ tenure: "80", tenure_type: "daily" }))).toEqual([]);
  });

  test.each([null, undefined, "text", 7, [], [good]])("that is %j is refused, and nothing else happens", (body) => {
    const work = () => readApplication(body, "LIVE", (terms) => checkTerms(product, terms));
    expect(errorsOf(work).length).toBeGreaterThan(0);
  });

  test("of anything at all is read or refused, and never a fault of ours", () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(good)));
    const body = fc.dictionary(fc.constantFrom(...Object.keys(good), "extra"), field);
    fc.assert(
      fc.property(body, (sent) => {
        expect(Array.isArray(errorsOf(() => read(sent)))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a question for a quote", () => {
  test("takes the amount as a text", () => {
    expect(readQuoteTerms(product, { amount: "50000", tenure: "3", tenure_type: "monthly" })).toEqual({
      amount: 5_000_000n,
      tenor: 3,
      tenorType: "monthly",
    });
  });

  test.each<[string, unknown, string[]]>([
    ["nothing", {}, ["amount", "tenure", "tenure_type"]],
    ["null", null, []],
    ["an amount out of bounds", { amount: "1", tenure: "3", tenure_type: "monthly" }, ["amount"]],
    ["too long a tenure", { amount: "50000", tenure: "99", tenure_type: "monthly" }, ["tenure"]],
    ["all of it", { amount: "1", tenure: "99", tenure_type: "monthly" }, ["amount", "tenure"]],
  ])("with %s is refused", (_, body, fields) => {
    expect(() => readQuoteTerms(product, body)).toThrow(expect.objectContaining({ code: "validation_failed" }));
    const told = fieldsOf(() => readQuoteTerms(product, body));
    for (const field of fields) expect(told).toContain(field);
  });

  test("is answered with a plan that adds up, to the kobo", () => {
    const terms = fc.record({
      amount: fc.bigInt({ min: 100_000n, max: 500_000_000n }).map(kobo),
      tenor: fc.integer({ min: 1, max: 24 }),
    });
    fc.assert(
      fc.property(terms, ({ amount, tenor }) => {
        const priced = quote(product, { amount, tenor, tenorType: "monthly" }, Temporal.PlainDate.from("2026-01-31"));
        const shown = presentQuote(priced);
        const cents = (naira: number) => Math.round(naira * 100);
        const sumOf = (part: "principal" | "interest" | "amount_due") =>
          shown.schedules.reduce((sum, each) => sum + cents(each[part]), 0);
        expect(sumOf("principal")).toBe(Number(amount));
        expect(sumOf("interest")).toBe(cents(shown.total_interest));
        expect(sumOf("amount_due")).toBe(cents(shown.total_repayment));
        expect(cents(shown.total_repayment)).toBe(Number(amount) + cents(shown.total_interest));
        expect(shown.schedules.map(({ installment_number }) => installment_number)).toEqual(
          Array.from({ length: tenor }, (_, place) => place + 1),
        );
        expect(shown.schedules.every(({ id, status }) => id === null && status === "pending")).toBe(true);
      }),
    );
  });
});
