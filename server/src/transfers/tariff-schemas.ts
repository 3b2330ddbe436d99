import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { percentNumber, percentParts } from "../money/percent.ts";
import { named } from "../platform/http/named-schema.ts";
import { Nullable, readNaira, Timestamp } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import { publishedFields } from "../platform/records/dated-version.ts";
import type { PublishedTariff } from "./tariff.ts";

const fee = (description: string) => Type.Number({ format: "naira", minimum: 0, maximum: 100_000, description });
const amount = { format: "naira", exclusiveMinimum: 0, maximum: 1_000_000_000 } as const;

const fields = {
  bands: Type.Array(
    Type.Object({
      upTo: Nullable(Type.Number({ ...amount, description: "The largest amount of the band; null in the last one." })),
      fee: fee("Of one payout."),
    }),
    { minItems: 1, maxItems: 50, description: "Rising; only the last has no upper end." },
  ),
  vatPercent: Type.Number({ minimum: 0, maximum: 100, description: "Of the fee, with at most one decimal." }),
  stampDuty: fee("Of one payout from `stampDutyFrom` on."),
  stampDutyFrom: Type.Number({ ...amount, description: "The smallest amount that bears stamp duty." }),
  source: Type.String({ minLength: 1, maxLength: 500, pattern: "\\S", description: "Where the figures come from." }),
};

const example = {
  version: 2,
  effectiveFrom: "2026-12-01T00:00:00.000Z",
  bands: [
    { upTo: 5_000, fee: 10 },
    { upTo: 50_000, fee: 25 },
    { upTo: null, fee: 50 },
  ],
  vatPercent: 7.5,
  stampDuty: 50,
  stampDutyFrom: 10_000,
  source: "CBN guide to charges of 2026",
};

export const tariffBody = named(
  "NewTransferTariff",
  Type.Object({ ...fields, ...publishedFields }, { examples: [{ ...example, reason: "New guide to charges" }] }),
);

export const tariffData = named(
  "TransferTariff",
  Type.Object(
    {
      version: publishedFields.version,
      effectiveFrom: Timestamp,
      ...fields,
      inForce: Type.Boolean({ description: "Live payouts are charged by it now." }),
    },
    { examples: [{ ...example, inForce: false }] },
  ),
);

/** Percent with one decimal are parts per thousand. */
const decimals = 1;

/** Throws validation_failed for a tax with too many decimals. */
export function readTariff(body: Static<typeof tariffBody>): PublishedTariff {
  const vatPerMille = percentParts(body.vatPercent, decimals);
  if (vatPerMille === undefined) {
    const errors = [{ field: "vatPercent", message: "must have at most one decimal" }];
    throw commonProblem("validation_failed", { errors });
  }
  return {
    version: body.version,
    effectiveFrom: new Date(body.effectiveFrom),
    bands: body.bands.map((band) => ({
      upTo: band.upTo === null ? null : readNaira(band.upTo),
      fee: readNaira(band.fee),
    })),
    vatPerMille,
    stampDuty: readNaira(body.stampDuty),
    stampDutyFrom: readNaira(body.stampDutyFrom),
    source: body.source,
  };
}

export function presentTariff(tariff: PublishedTariff, inForce: boolean): Static<typeof tariffData> {
  return {
    version: tariff.version,
    effectiveFrom: tariff.effectiveFrom.toISOString(),
    bands: tariff.bands.map((band) => ({
      upTo: band.upTo === null ? null : nairaNumber(band.upTo),
      fee: nairaNumber(band.fee),
    })),
    vatPercent: percentNumber(tariff.vatPerMille, decimals),
    stampDuty: nairaNumber(tariff.stampDuty),
    stampDutyFrom: nairaNumber(tariff.stampDutyFrom),
    source: tariff.source,
    inForce,
  };
}
