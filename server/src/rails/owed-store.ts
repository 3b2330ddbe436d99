/**
 * Orders whose outcome a rail owes us, over all environments, oldest first, by age in each environment's time.
 */
import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Database, EnvironmentKind } from "../platform/database/database.ts";
import type { OwedDetail, OwedKind } from "../platform/records/owed-kind.ts";
import type { OrderAtRail } from "./order-at-rail.ts";

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
  /** Null for a simulated rail. */
  readonly rail: OrderAtRail | null;
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
  readonly connection_id?: string | null;
  readonly rail_order_id?: string | null;
  readonly provider_reference?: string | null;
  readonly network_session_id?: string | null;
  readonly rail_fee?: bigint | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

export async function listOwed(db: Database, kind: OwedKind, question: OwedQuestion): Promise<OwedOutcome[]> {
  const found = await sql<OwedRow>`
    select * from list_owed_orders(${kind.type}, ${question.olderThanSeconds}, ${question.limit})`.execute(db);
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
    detail: kind.detail((name) => String(row.detail?.[name])),
    rail: atRail(row),
  }));
}

function atRail(row: OwedRow): OrderAtRail | null {
  const { connection_id: connectionId = null, rail_order_id: orderId = null } = row;
  if (connectionId === null || orderId === null) return null;
  return {
    connectionId,
    orderId,
    providerReference: row.provider_reference ?? null,
    networkSessionId: row.network_session_id ?? null,
    fee: row.rail_fee == null ? null : kobo(row.rail_fee),
  };
}

const alarmingSeconds = 60;
const mostCounted = 100_000;

interface OwedCount {
  readonly environment: EnvironmentKind;
  readonly count: number;
  readonly oldestSeconds: number;
}

/** How many of live environments have been owed for longer, counted up to 100,000. */
export async function countLiveOver(db: Database, { type }: OwedKind, seconds: number): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*)::integer as count from list_owed_orders(${type}, ${seconds}, ${mostCounted}) u
    where u.environment_kind = 'LIVE'`.execute(db);
  return counted.rows[0]?.count ?? 0;
}

export async function countOwed(db: Database, { type }: OwedKind): Promise<OwedCount[]> {
  const counted = await sql<OwedCount>`
    select kind as environment, count(u.id)::integer as count, coalesce(max(u.age_seconds), 0) as "oldestSeconds"
    from unnest(array['SANDBOX', 'LIVE']) as kind
    left join list_owed_orders(${type}, ${alarmingSeconds}, ${mostCounted}) u on u.environment_kind = kind
    group by kind`.execute(db);
  return counted.rows;
}
