/** Versions of loan products as an operator publishes and reads them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { kobo } from "../../money/kobo.ts";
import type { LoanProduct } from "./product.ts";
import { presentProduct, productBody, productData, readTerms } from "./product-schemas.ts";
import { longestTenors } from "./publish-product.ts";

const id = "01932c60-1d2e-7a3b-8c4d-5e6f70819203";
const offer = { shortest: 1, longest: 12, interestPercent: 3 };
const body = {
  code: "checkout" as const,
  version: 2,
  name: "Checkout",
  description: "Flat interest per month.",
  interestMethod: "flat" as const,
  minAmount: 5_000,
  maxAmount: 1_500_000,
  tenors: { monthly: offer },
  fee: { percent: 0, fixed: 0 },
  lateFee: { percent: 1, minimum: 100 },
  graceDays: 3,
  effectiveFrom: "2026-12-01T00:00:00.000Z",
  reason: "Decision of 3 November",
};
const complaints = complaintsOf(productBody);
const fieldsOf = (change: object) => Object.keys(complaints({ ...body, ...change }));

describe("a version is published", () => {
  test("with all of its terms: each one that is missing is named", () => {
    expect(complaints(body)).toEqual({});
    for (const field of Object.keys(body)) {
      const { [field as keyof typeof body]: _, ...rest } = body;
      expect(complaints(rest)).toEqual({ [field]: "is required" });
    }
  });

  test.each(["standard", "checkout"])("of the product %s", (code) => {
    expect(fieldsOf({ code })).toEqual([]);
  });

  test.each(["other", "", "Standard", null])("not of the product %j", (code) => {
    expect(fieldsOf({ code })).toEqual(["code"]);
  });

  test.each(["name", "description", "reason"])("not with a blank %s", (field) => {
    expect(fieldsOf({ [field]: "" })).toEqual([field]);
    expect(fieldsOf({ [field]: " \t" })).toEqual([field]);
    expect(fieldsOf({ [field]: "x".repeat(2_001) })).toEqual([field]);
  });

  test.each(["minAmount", "maxAmount"])("with a %s above nothing and up to a thousand million naira", (field) => {
    for (const naira of [0.01, 5_000, 1_000_000_000]) expect(fieldsOf({ [field]: naira })).toEqual([]);
    for (const naira of [0, -1, 0.001, 1_000_000_000.01, "5000"]) expect(fieldsOf({ [field]: naira })).toEqual([field]);
  });

  test.each([0, 3, 30])("with %i days of grace", (graceDays) => {
    expect(fieldsOf({ graceDays })).toEqual([]);
  });

  test.each([-1, 31, 1.5, "3", null])("not with %j days of grace", (graceDays) => {
    expect(fieldsOf({ graceDays })).toEqual(["graceDays"]);
  });

  test.each(["daily", "weekly", "monthly"] as const)("with tenors %s up to the longest", (type) => {
    const longest = longestTenors[type];
    expect(fieldsOf({ tenors: { [type]: { ...offer, longest } } })).toEqual([]);
    expect(fieldsOf({ tenors: { [type]: { ...offer, longest: longest + 1 } } })).toEqual([`tenors.${type}.longest`]);
    expect(fieldsOf({ tenors: { [type]: { ...offer, shortest: 0 } } })).toEqual([`tenors.${type}.shortest`]);
    expect(fieldsOf({ tenors: { [type]: { ...offer, interestPercent: 100.1 } } })).toEqual([
      `tenors.${type}.interestPercent`,
    ]);
    expect(fieldsOf({ tenors: { [type]: { ...offer, interestPercent: -1 } } })).toEqual([
      `tenors.${type}.interestPercent`,
    ]);
  });

  test("with fees that take nothing, and never with fees that give", () => {
    expect(fieldsOf({ fee: { percent: 0, fixed: 0 }, lateFee: { percent: 0, minimum: 0 } })).toEqual([]);
    expect(fieldsOf({ fee: { percent: 1, fixed: -0.01 } })).toEqual(["fee.fixed"]);
    expect(fieldsOf({ fee: { percent: -1, fixed: 0 } })).toEqual(["fee.percent"]);
    expect(fieldsOf({ lateFee: { percent: 101, minimum: 0 } })).toEqual(["lateFee.percent"]);
    expect(fieldsOf({ lateFee: { percent: 1, minimum: 0.005 } })).toEqual(["lateFee.minimum"]);
  });
});

describe("its terms are read", () => {
  test("into kobo and millionths", () => {
    expect(readTerms({ ...body, fee: { percent: 0.5, fixed: 12.34 } })).toEqual({
      code: "checkout",
      name: "Checkout",
      description: "Flat interest per month.",
      effectiveFrom: new Date(body.effectiveFrom),
      interestMethod: "flat",
      minimumAmount: 500_000n,
      maximumAmount: 150_000_000n,
      tenors: { monthly: { shortest: 1, longest: 12, rate: 30_000n } },
      fee: { rate: 5_000n, fixed: 1_234n },
      lateFee: { rate: 10_000n, minimum: 10_000n },
      graceDays: 3,
    });
  });

  test("without tenors that were not named", () => {
    expect(readTerms({ ...body, tenors: {} }).tenors).toEqual({});
    expect(Object.keys(readTerms({ ...body, tenors: { weekly: offer, daily: offer } }).tenors).sort()).toEqual([
      "daily",
      "weekly",
    ]);
  });

  test("or refused with every rate that has too many decimals, not only the first", () => {
    const tooFine = {
      ...body,
      tenors: { daily: { ...offer, interestPercent: 0.00001 }, monthly: offer },
      fee: { percent: 1.23456, fixed: 0 },
      lateFee: { percent: 2.00001, minimum: 0 },
    };
    expect(() => readTerms(tooFine)).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        errors: ["tenors.daily.interestPercent", "fee.percent", "lateFee.percent"].map((field) => ({
          field,
          message: "must have at most four decimals",
        })),
      }),
    );
  });
});

describe("a version is shown", () => {
  const product = { ...readTerms(body), id, version: 2 } as LoanProduct;

  test("as it was published, and fits the document", () => {
    const { reason: _, ...published } = body;
    const shown = presentProduct(product, true);
    expect(shown).toEqual({ ...published, id, inForce: true });
    expect(complaintsOf(productData)(shown)).toEqual({});
  });

  test("without tenors that it does not offer", () => {
    expect(presentProduct({ ...product, tenors: {} }, false)).toMatchObject({ tenors: {}, inForce: false });
  });

  test("with the figures that were sent, whatever they were", () => {
    const naira = fc.integer({ min: 1, max: 100_000_000_000 }).map((amount) => amount / 100);
    const percent = fc.integer({ min: 0, max: 1_000_000 }).map((rate) => rate / 10_000);
    fc.assert(
      fc.property(naira, naira, percent, percent, percent, (least, fixed, interest, fee, late) => {
        const sent = {
          ...body,
          minAmount: least,
          tenors: { daily: { ...offer, interestPercent: interest } },
          fee: { percent: fee, fixed },
          lateFee: { percent: late, minimum: fixed },
        };
        expect(complaints(sent)).toEqual({});
        const { reason: _, ...published } = sent;
        const read = { ...readTerms(sent), id, version: 2 } as LoanProduct;
        expect(presentProduct(read, false)).toEqual({ ...published, id, inForce: false });
      }),
    );
  });

  test("with its amounts to the kobo", () => {
    const odd = presentProduct({ ...product, minimumAmount: kobo(1n), maximumAmount: kobo(99_999_999_999n) }, true);
    expect([odd.minAmount, odd.maxAmount]).toEqual([0.01, 999_999_999.99]);
  });
});
