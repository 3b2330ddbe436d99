/** How an operator reads and publishes what payouts cost. */
import { Type } from "typebox";
import type { Tx } from "../platform/database/database.ts";
import { describeRoute, type Route, repeated } from "../platform/http/route.ts";
import type { FieldError } from "../platform/problem.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { type Figures, publishingProblems, publishVersion, versionAt } from "../platform/records/dated-version.ts";
import type { PublishedTariff } from "./tariff.ts";
import { presentTariff, readTariff, tariffBody, tariffData } from "./tariff-schemas.ts";
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
