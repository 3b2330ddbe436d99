/**
 * Payments whose outcome a rail owes us, over all environments: what an operator must keep an eye on. Each domain has a
 * look-up function that lists its own, oldest first, by age in each environment's time.
 */
import { sql } from "kysely";
import type { Kobo } from "../money/kobo.ts";
import type { Database, EnvironmentKind } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";

export interface UnknownOutcome {
  readonly type: "transfer" | "bill" | "card_charge" | "card_refund";
  readonly id: string;
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly reference: string;
  readonly amount: Kobo;
  readonly queries: number;
  readonly sentAt: Date;
  readonly ageSeconds: number;
  /** What helps to find it at the rail. */
  readonly detail: Readonly<Record<string, string | number>>;
}

export interface UnknownQuestion {
  readonly olderThanSeconds: number;
  readonly limit: number;
}

export type UnknownSource = (question: UnknownQuestion) => Promise<UnknownOutcome[]>;

/** What a domain's unknowns are called, and which function lists them. */
export interface UnknownKind {
  readonly gauge: string;
  readonly noun: string;
  readonly lookup:
    | "list_unknown_transfers"
    | "list_unknown_bills"
    | "list_unknown_charges"
    | "list_unknown_card_refunds";
}

const alarmingSeconds = 60;
const mostCounted = 100_000;

interface UnknownCount {
  readonly environment: EnvironmentKind;
  readonly count: number;
  readonly oldestSeconds: number;
}

async function countUnknowns(db: Database, { lookup }: UnknownKind): Promise<UnknownCount[]> {
  const counted = await sql<UnknownCount>`
    select kind as environment, count(u.id)::integer as count, coalesce(max(u.age_seconds), 0) as "oldestSeconds"
    from unnest(array['SANDBOX', 'LIVE']) as kind
    left join ${sql.raw(lookup)}(${alarmingSeconds}, ${mostCounted}) u on u.environment_kind = kind
    group by kind`.execute(db);
  return counted.rows;
}

export function unknownsGauge(db: Database, kind: UnknownKind): GaugeSource {
  return {
    name: kind.gauge,
    help: `${kind.noun} whose outcome has been owed for more than a minute, by kind of environment.`,
    labelNames: ["environment"],
    read: async () =>
      (await countUnknowns(db, kind)).map(({ environment, count }) => ({ labels: { environment }, value: count })),
  };
}

/** Says in the log that money is in the open. A sandbox's is nobody's money. */
export async function reportUnknowns(db: Database, log: Logger, kind: UnknownKind): Promise<void> {
  for (const { environment, count, oldestSeconds } of await countUnknowns(db, kind)) {
    if (count === 0) continue;
    const level = environment === "LIVE" ? "warn" : "info";
    log[level]({ environment, count, oldestSeconds }, `${kind.noun} wait for an answer for more than a minute`);
  }
}
