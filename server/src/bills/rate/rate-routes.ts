/** How an operator reads and publishes what bills cost on top and earn the merchant. */
import { type Static, Type } from "typebox";
import { nairaNumber } from "../../money/kobo.ts";
import { percentNumber, percentParts } from "../../money/percent.ts";
import type { Tx } from "../../platform/database/database.ts";
import { named } from "../../platform/http/named-schema.ts";
import { describeRoute, type Route, repeated } from "../../platform/http/route.ts";
import { OneOf, readNaira, Timestamp } from "../../platform/http/wire.ts";
import { commonProblem } from "../../platform/problem.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import {
  publishedFields,
  publishingProblems,
  publishVersion,
  versionAt,
} from "../../platform/records/dated-version.ts";
import { billCategories } from "../../rails/biller.ts";
import type { PublishedRate } from "./rate.ts";
import { insertRate, readRates } from "./rate-store.ts";

const common = { path: "/operator/bills/rates", tag: "Operator" } as const;

export function rateRoutes(): Route[] {
  return [listRoute(), publishRoute()];
}

function listRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "GET",
    operationId: "listBillRates",
    summary: "List the rates of bills",
    description:
      "Fee and commission of every category, every version, the latest date first. They are for all environments.",
    reply: { status: 200, message: "Rates retrieved.", data: Type.Array(rateData) },
    handle: ({ read }) =>
      read(async (tx) => {
        const [all, now] = [await readRates(tx), tx.environment.clock.now()];
        const inForce = all.map(({ category }) =>
          versionAt(
            all.filter((each) => each.category === category),
            now,
          ),
        );
        return { data: all.map((rate) => presentRate(rate, inForce.includes(rate))) };
      }),
  });
}

function publishRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "POST",
    operationId: "publishBillRate",
    summary: "Publish a rate of bills",
    description:
      "Stores the next version of a category's fee and commission. Bills of all environments are charged by it from its date on, in the time of each; bills made before keep what they were charged. To take a planned version back, publish another one for the same date. Recorded in the audit trail. The same version and content again return 200.",
    body: rateBody,
    reply: { status: 201, message: "Rate published.", data: rateData, also: { 200: "It was published before" } },
    problems: publishingProblems,
    handle: (request) =>
      request.write(async (tx) => {
        const { version, reason, confirmLargeChanges: confirmed = false } = request.body;
        const { published, replayed } = await publishRate(tx, readRate(request.body), confirmed);
        const current = versionAt(await versionsOf(tx, published), tx.environment.clock.now());
        const data = presentRate(published, current?.version === version);
        if (replayed) return { data, ...repeated };
        const { inForce: _, ...detail } = data;
        await recordAudit(tx, originOf(request), {
          action: "bill_rate.publish",
          subjectType: "bill_rate",
          subjectId: `${published.category}/${version}`,
          detail: { ...detail, reason, confirmed },
        });
        return { data };
      }),
  });
}

function publishRate(tx: Tx, wanted: PublishedRate, confirmed: boolean) {
  const versions = () => versionsOf(tx, wanted);
  return publishVersion({
    wanted,
    now: tx.environment.clock.now(),
    confirmed,
    find: async (number) => (await versions()).find(({ version }) => version === number),
    latest: async () => Math.max(0, ...(await versions()).map(({ version }) => version)),
    inForceAt: async (moment) => versionAt(await versions(), moment),
    faults: () => [],
    figures: ({ commissionBasisPoints, fee }) => ({ commissionPercent: commissionBasisPoints, fee }),
    insert: (rate) => insertRate(tx, rate),
  });
}

async function versionsOf(tx: Tx, { category }: PublishedRate): Promise<PublishedRate[]> {
  return (await readRates(tx)).filter((each) => each.category === category);
}

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
