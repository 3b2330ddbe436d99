/** Payouts whose outcome the bank owes us, over all environments: what an operator must keep an eye on. */
import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Database } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import type { EnvironmentKind } from "../rails/registry.ts";

export interface UnknownTransfer {
  readonly id: string;
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly reference: string;
  readonly amount: Kobo;
  readonly bankCode: string;
  readonly sessionId: string;
  readonly queries: number;
  readonly sentAt: Date;
  readonly ageSeconds: number;
}

interface UnknownRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly id: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly bank_code: string;
  readonly session_id: string;
  readonly queries: number;
  readonly sent_at: Date;
  readonly age_seconds: number;
}

/** Oldest first. Ages are in each environment's own time. */
export async function listUnknownTransfers(
  db: Database,
  { olderThanSeconds, limit }: { readonly olderThanSeconds: number; readonly limit: number },
): Promise<UnknownTransfer[]> {
  const found = await sql<UnknownRow>`
    select * from list_unknown_transfers(${olderThanSeconds}, ${limit})`.execute(db);
  return found.rows.map((row) => ({
    id: row.id,
    environmentId: row.environment_id,
    environment: row.environment_kind,
    reference: row.reference,
    amount: kobo(row.amount),
    bankCode: row.bank_code,
    sessionId: row.session_id,
    queries: row.queries,
    sentAt: row.sent_at,
    ageSeconds: row.age_seconds,
  }));
}

const alarmingSeconds = 60;
const mostCounted = 100_000;

interface UnknownCount {
  readonly environment: EnvironmentKind;
  readonly count: number;
  readonly oldestSeconds: number;
}

async function countUnknownTransfers(db: Database): Promise<UnknownCount[]> {
  const counted = await sql<UnknownCount>`
    select kind as environment, count(u.id)::integer as count, coalesce(max(u.age_seconds), 0) as "oldestSeconds"
    from unnest(array['SANDBOX', 'LIVE']) as kind
    left join list_unknown_transfers(${alarmingSeconds}, ${mostCounted}) u on u.environment_kind = kind
    group by kind`.execute(db);
  return counted.rows;
}

export function unknownTransfersGauge(db: Database): GaugeSource {
  return {
    name: "jara_unknown_transfers",
    help: "Payouts whose outcome the bank has owed for more than a minute, by kind of environment.",
    labelNames: ["environment"],
    read: async () =>
      (await countUnknownTransfers(db)).map(({ environment, count }) => ({ labels: { environment }, value: count })),
  };
}

/** Says in the log that money is in the open. A sandbox's is nobody's money. */
export async function reportUnknownTransfers(db: Database, log: Logger): Promise<void> {
  for (const { environment, count, oldestSeconds } of await countUnknownTransfers(db)) {
    if (count === 0) continue;
    const level = environment === "LIVE" ? "warn" : "info";
    log[level]({ environment, count, oldestSeconds }, "payouts wait for a bank's answer for more than a minute");
  }
}
