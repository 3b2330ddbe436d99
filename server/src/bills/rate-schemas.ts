import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { percentNumber, percentParts } from "../money/percent.ts";
import { named } from "../platform/http/named-schema.ts";
import { OneOf, readNaira, Timestamp } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import { publishedFields } from "../platform/records/dated-version.ts";
import { billCategories } from "../rails/biller.ts";
import type { PublishedRate } from "./rate.ts";

const fields = {
  category: OneOf(billCategories),
  commissionPercent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "Of the amount, with at most two decimals; the merchant earns it on success.",
  }),
  fee: Type.Number({ format: "naira", minimum: 0, maximum: 10_000, description: "On top of the amount, in naira." }),
  source: Type.String({ minLength: 1, maxLength: 500, pattern: "\\S", description: "Where the figures come from." }),
};

const example = {
  category: "airtime",
  version: 2,
  effectiveFrom: "2026-12-01T00:00:00.000Z",
  commissionPercent: 2.75,
  fee: 0,
  source: "Agreement with the aggregator of 3 November 2026",
} as const;

export const rateBody = named(
  "NewBillRate",
  Type.Object({ ...fields, ...publishedFields }, { examples: [{ ...example, reason: "New agreement" }] }),
);

export const rateData = named(
  "BillRate",
  Type.Object(
    {
      ...fields,
      version: publishedFields.version,
      effectiveFrom: Timestamp,
      inForce: Type.Boolean({ description: "Live bills are charged by it now." }),
    },
    { examples: [{ ...example, inForce: false }] },
  ),
);

const decimals = 2;

/** Throws validation_failed for a commission with too many decimals. */
export function readRate(body: Static<typeof rateBody>): PublishedRate {
  const commissionBasisPoints = percentParts(body.commissionPercent, decimals);
  if (commissionBasisPoints === undefined) {
    const errors = [{ field: "commissionPercent", message: "must have at most two decimals" }];
    throw commonProblem("validation_failed", { errors });
  }
  const { category, version, source } = body;
  const effectiveFrom = new Date(body.effectiveFrom);
  return { category, version, effectiveFrom, commissionBasisPoints, fee: readNaira(body.fee), source };
}

export function presentRate(rate: PublishedRate, inForce: boolean): Static<typeof rateData> {
  const { category, version, source } = rate;
  return {
    category,
    version,
    effectiveFrom: rate.effectiveFrom.toISOString(),
    commissionPercent: percentNumber(rate.commissionBasisPoints, decimals),
    fee: nairaNumber(rate.fee),
    source,
    inForce,
  };
}
