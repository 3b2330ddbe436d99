/** How an operator reads and publishes what payouts cost. */
import { type Static, Type } from "typebox";
import { nairaNumber } from "../../money/kobo.ts";
import { percentNumber, percentParts } from "../../money/percent.ts";
import type { Tx } from "../../platform/database/database.ts";
import { named } from "../../platform/http/named-schema.ts";
import { describeRoute, type Route, repeated } from "../../platform/http/route.ts";
import { Nullable, readNaira, Timestamp } from "../../platform/http/wire.ts";
import { commonProblem, type FieldError } from "../../platform/problem.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import {
  type Figures,
  publishedFields,
  publishingProblems,
  publishVersion,
  versionAt,
} from "../../platform/records/dated-version.ts";
import type { PublishedTariff } from "./tariff.ts";
import { insertTariff, readTariffs } from "./tariff-store.ts";

const common = { path: "/operator/transfers/tariffs", tag: "Operator" } as const;

export function tariffRoutes(): Route[] {
  return [listRoute(), publishRoute()];
}

function listRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "GET",
    operationId: "listTransferTariffs",
    summary: "List the tariffs of payouts",
    description: "Fees, VAT and stamp duty, every version, the latest date first. They are for all environments.",
    reply: { status: 200, message: "Tariffs retrieved.", data: Type.Array(tariffData) },
    handle: ({ read }) =>
      read(async (tx) => {
        const all = await readTariffs(tx);
        const inForce = versionAt(all, tx.environment.clock.now());
        return { data: all.map((tariff) => presentTariff(tariff, tariff === inForce)) };
      }),
  });
}

function publishRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "POST",
    operationId: "publishTransferTariff",
    summary: "Publish a tariff of payouts",
    description:
      "Stores the next version of what payouts cost, checked as a whole. Payouts of all environments are charged by it from its date on, in the time of each; payouts made before keep what they were charged. To take a planned version back, publish another one for the same date. Recorded in the audit trail. The same version and content again return 200.",
    body: tariffBody,
    reply: { status: 201, message: "Tariff published.", data: tariffData, also: { 200: "It was published before" } },
    problems: publishingProblems,
    handle: (request) =>
      request.write(async (tx) => {
        const { version, reason, source, confirmLargeChanges: confirmed = false } = request.body;
        const { published, replayed } = await publishTariff(tx, readTariff(request.body), confirmed);
        const current = versionAt(await readTariffs(tx), tx.environment.clock.now());
        const data = presentTariff(published, current?.version === version);
        if (replayed) return { data, ...repeated };
        await recordAudit(tx, originOf(request), {
          action: "transfer_tariff.publish",
          subjectType: "transfer_tariff",
          subjectId: String(version),
          detail: { version, effectiveFrom: data.effectiveFrom, source, reason, confirmed },
        });
        return { data };
      }),
  });
}

function publishTariff(tx: Tx, wanted: PublishedTariff, confirmed: boolean) {
  return publishVersion({
    wanted,
    now: tx.environment.clock.now(),
    confirmed,
    find: async (number) => (await readTariffs(tx)).find(({ version }) => version === number),
    latest: async () => Math.max(0, ...(await readTariffs(tx)).map(({ version }) => version)),
    inForceAt: async (moment) => versionAt(await readTariffs(tx), moment),
    faults: bandFaults,
    figures: figuresOf,
    insert: (tariff) => insertTariff(tx, tariff),
  });
}

/** What a schema cannot see: every amount has exactly one band. */
function bandFaults({ bands }: PublishedTariff): FieldError[] {
  return bands.flatMap(({ upTo }, place): FieldError[] => {
    const field = `bands[${place}].upTo`;
    const isLast = place === bands.length - 1;
    if (isLast) return upTo === null ? [] : [{ field, message: "must be null: the last band has no upper end" }];
    if (upTo === null) return [{ field, message: "must be an amount: only the last band has no upper end" }];
    return upTo > (bands[place - 1]?.upTo ?? 0n) ? [] : [{ field, message: "must be larger than in the band before" }];
  });
}

function figuresOf({ bands, vatPerMille, stampDuty, stampDutyFrom }: PublishedTariff): Figures {
  const figures = bands.flatMap(({ upTo, fee }, place) => [
    [`bands[${place}].upTo`, upTo ?? 0n] as const,
    [`bands[${place}].fee`, fee] as const,
  ]);
  return { ...Object.fromEntries(figures), vatPercent: vatPerMille, stampDuty, stampDutyFrom };
}

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
