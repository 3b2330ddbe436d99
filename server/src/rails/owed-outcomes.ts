/**
 * Orders whose outcome a rail owes us, over all environments: what an operator must keep an eye on. Each domain has a
 * look-up function that lists its own, oldest first, by age in each environment's time, and describes it here.
 */
import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Database, EnvironmentKind } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import type { OwedDetail, OwedKind } from "../platform/records/owed-kind.ts";

export interface OwedOutcome {
  readonly type: string;
  readonly id: string;
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly reference: string;
  readonly amount: Kobo;
  readonly queries: number;
  readonly sentAt: Date;
  readonly ageSeconds: number;
  readonly detail: OwedDetail;
}

export interface OwedQuestion {
  readonly olderThanSeconds: number;
  readonly limit: number;
}

interface OwedRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly id: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly queries: number;
  readonly sent_at: Date;
  readonly age_seconds: number;
  readonly [further: string]: unknown;
}

export async function listOwed(db: Database, kind: OwedKind, question: OwedQuestion): Promise<OwedOutcome[]> {
  const found = await sql<OwedRow>`
    select * from ${sql.raw(kind.lookup)}(${question.olderThanSeconds}, ${question.limit})`.execute(db);
  return found.rows.map((row) => ({
    type: kind.type,
    id: row.id,
    environmentId: row.environment_id,
    environment: row.environment_kind,
    reference: row.reference,
    amount: kobo(row.amount),
    queries: row.queries,
    sentAt: row.sent_at,
    ageSeconds: row.age_seconds,
    detail: kind.detail((name) => String(row[name])),
  }));
}

const alarmingSeconds = 60;
const mostCounted = 100_000;

interface OwedCount {
  readonly environment: EnvironmentKind;
  readonly count: number;
  readonly oldestSeconds: number;
}

async function countOwed(db: Database, { lookup }: OwedKind): Promise<OwedCount[]> {
  const counted = await sql<OwedCount>`
    select kind as environment, count(u.id)::integer as count, coalesce(max(u.age_seconds), 0) as "oldestSeconds"
    from unnest(array['SANDBOX', 'LIVE']) as kind
    left join ${sql.raw(lookup)}(${alarmingSeconds}, ${mostCounted}) u on u.environment_kind = kind
    group by kind`.execute(db);
  return counted.rows;
}

export function owedGauge(db: Database, kind: OwedKind): GaugeSource {
  return {
    name: kind.gauge,
    help: `${kind.noun} whose outcome has been owed for more than a minute, by kind of environment.`,
    labelNames: ["environment"],
    read: async () =>
      (await countOwed(db, kind)).map(({ environment, count }) => ({ labels: { environment }, value: count })),
  };
}

/** Says in the log that money is in the open. A sandbox's is nobody's money. */
export async function reportOwed(db: Database, log: Logger, kinds: readonly OwedKind[]): Promise<void> {
  for (const kind of kinds) {
    for (const { environment, count, oldestSeconds } of await countOwed(db, kind)) {
      if (count === 0) continue;
      const level = environment === "LIVE" ? "warn" : "info";
      log[level]({ environment, count, oldestSeconds }, `${kind.noun} wait for an answer for more than a minute`);
    }
  }
}
