import { type Static, type TNumber, Type } from "typebox";
import { nairaNumber } from "../../money/kobo.ts";
import { named } from "../../platform/http/named-schema.ts";
import { OneOf, readNaira, Timestamp, Uuid } from "../../platform/http/wire.ts";
import type { FieldError } from "../../platform/problem.ts";
import { commonProblem } from "../../platform/problem.ts";
import { publishedFields } from "../../platform/records/dated-version.ts";
import { type LoanProduct, type Rate, rateFromPercent, ratePercent, tenorTypes } from "./product.ts";
import { checkoutCode, type NewVersion, standardCode } from "./products.ts";
import { longestTenors } from "./publish-product.ts";

/** Above the largest loan that anybody makes here, far below what an account cannot count. */
const largest = 1_000_000_000;
const naira = (description: string, minimum: { minimum: 0 } | { exclusiveMinimum: 0 }): TNumber =>
  Type.Number({ format: "naira", ...minimum, maximum: largest, description });
const percent = (description: string): TNumber => Type.Number({ minimum: 0, maximum: 100, description });

const offer = (type: keyof typeof longestTenors) =>
  Type.Object({
    shortest: Type.Integer({ minimum: 1, maximum: longestTenors[type] }),
    longest: Type.Integer({ minimum: 1, maximum: longestTenors[type] }),
    interestPercent: percent("Of a period, with at most four decimals."),
  });

const terms = {
  code: OneOf([standardCode, checkoutCode], {
    description: "`standard` prices loans of POST /loans/create, `checkout` those of the checkout.",
  }),
  name: Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", description: "Borrowers and merchants read it." }),
  description: Type.String({ minLength: 1, maxLength: 500, pattern: "\\S" }),
  interestMethod: OneOf(["flat", "reducing"], {
    description: "flat: on the whole amount in every period. reducing: on what is still owed, in equal instalments.",
  }),
  minAmount: naira("Of one loan.", { exclusiveMinimum: 0 }),
  maxAmount: naira("Of one loan.", { exclusiveMinimum: 0 }),
  tenors: Type.Object(
    {
      daily: Type.Optional(offer("daily")),
      weekly: Type.Optional(offer("weekly")),
      monthly: Type.Optional(offer("monthly")),
    },
    { description: "What is not named is not offered." },
  ),
  fee: Type.Object(
    { percent: percent("Of the amount."), fixed: naira("On top of it.", { minimum: 0 }) },
    { description: "For granting the loan, spread over the instalments." },
  ),
  lateFee: Type.Object(
    { percent: percent("Of the instalment."), minimum: naira("At least.", { minimum: 0 }) },
    { description: "Once for each instalment that is late." },
  ),
  graceDays: Type.Integer({ minimum: 0, maximum: 30, description: "Days after the due date without a late fee." }),
};

const example = {
  code: "checkout",
  version: 2,
  name: "Checkout",
  description: "Flat interest per month, no fee up front, three days of grace.",
  interestMethod: "flat",
  minAmount: 5_000,
  maxAmount: 1_500_000,
  tenors: { monthly: { shortest: 1, longest: 12, interestPercent: 3 } },
  fee: { percent: 0, fixed: 0 },
  lateFee: { percent: 1, minimum: 100 },
  graceDays: 3,
  effectiveFrom: "2026-12-01T00:00:00.000Z",
} as const;

export const productBody = named(
  "NewLoanProductVersion",
  Type.Object({ ...terms, ...publishedFields }, { examples: [{ ...example, reason: "Decision of 3 November" }] }),
);

export const productData = named(
  "LoanProductVersion",
  Type.Object(
    {
      id: Uuid,
      ...terms,
      version: publishedFields.version,
      effectiveFrom: Timestamp,
      inForce: Type.Boolean({ description: "New loans are made with it now." }),
    },
    { examples: [{ id: "01932c60-1d2e-7a3b-8c4d-5e6f70819203", ...example, inForce: false }] },
  ),
);

/** Throws validation_failed for a rate with too many decimals. */
export function readTerms(body: Static<typeof productBody>): NewVersion {
  const errors: FieldError[] = [];
  const rate = (field: string, value: number): Rate => {
    const read = rateFromPercent(value);
    if (read === undefined) errors.push({ field, message: "must have at most four decimals" });
    return read ?? 0n;
  };
  const offers = tenorTypes.flatMap((type) => {
    const sent = body.tenors[type];
    if (sent === undefined) return [];
    const { shortest, longest, interestPercent } = sent;
    return [[type, { shortest, longest, rate: rate(`tenors.${type}.interestPercent`, interestPercent) }] as const];
  });
  const read: NewVersion = {
    code: body.code,
    name: body.name,
    description: body.description,
    effectiveFrom: new Date(body.effectiveFrom),
    interestMethod: body.interestMethod,
    minimumAmount: readNaira(body.minAmount),
    maximumAmount: readNaira(body.maxAmount),
    tenors: Object.fromEntries(offers),
    fee: { rate: rate("fee.percent", body.fee.percent), fixed: readNaira(body.fee.fixed) },
    lateFee: { rate: rate("lateFee.percent", body.lateFee.percent), minimum: readNaira(body.lateFee.minimum) },
    graceDays: body.graceDays,
  };
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
  return read;
}

export function presentProduct(product: LoanProduct, inForce: boolean): Static<typeof productData> {
  const { fee, lateFee } = product;
  const offers = tenorTypes.flatMap((type) => {
    const offered = product.tenors[type];
    if (offered === undefined) return [];
    const { shortest, longest, rate } = offered;
    return [[type, { shortest, longest, interestPercent: ratePercent(rate) }] as const];
  });
  return {
    id: product.id,
    code: product.code === checkoutCode ? checkoutCode : standardCode,
    version: product.version,
    name: product.name,
    description: product.description,
    interestMethod: product.interestMethod,
    minAmount: nairaNumber(product.minimumAmount),
    maxAmount: nairaNumber(product.maximumAmount),
    tenors: Object.fromEntries(offers),
    fee: { percent: ratePercent(fee.rate), fixed: nairaNumber(fee.fixed) },
    lateFee: { percent: ratePercent(lateFee.rate), minimum: nairaNumber(lateFee.minimum) },
    graceDays: product.graceDays,
    effectiveFrom: product.effectiveFrom.toISOString(),
    inForce,
  };
}
