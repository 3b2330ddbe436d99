import { sql } from "kysely";
import type { EnvironmentKind, Tx } from "../platform/database/database.ts";
import type { PageRequest } from "../platform/records/pagination.ts";

/** Of each kind. What lies beyond comes up when those before it are decided. */
const mostRead = 1_000;

interface Page {
  readonly rows: Decision[];
  readonly total: bigint;
}

/** In the operator's scope. */
export async function readDecisions(tx: Tx, filter: DecisionFilter, { page, limit }: PageRequest): Promise<Page> {
  const listed = sql`list_decisions(${mostRead}, ${filter.kind}, ${filter.environment})`;
  const counted = await sql<{ total: bigint }>`select count(*) as total from ${listed}`.execute(tx);
  const found = await sql<Decision>`
    select d.kind, d.id, d.customer_id as "customerId", d.environment_id as "environmentId", d.environment,
      d.merchant_id as "merchantId", d.merchant, d.name, d.amount, d.detail, d.since, d.age_seconds as "ageSeconds"
    from ${listed} d limit ${limit} offset ${BigInt(page - 1) * BigInt(limit)}`.execute(tx);
  return { rows: found.rows, total: counted.rows[0]?.total ?? 0n };
}

/**
 * What waits for an operator's word. Rules decide about most; a person decides about a live merchant's loans, about
 * loans whose payouts failed too often, about contact data that a customer cannot confirm, and about identities that
 * no register has confirmed.
 */
interface DecisionFilter {
  readonly kind: string | null;
  readonly environment: EnvironmentKind | null;
}

export interface Decision {
  readonly kind: string;
  readonly id: string;
  /** Null where a merchant asked for an applicant of its own. */
  readonly customerId: string | null;
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly merchantId: string;
  readonly merchant: string;
  readonly name: string;
  readonly amount: bigint | null;
  readonly detail: string | null;
  readonly since: Date;
  /** In the environment's time. */
  readonly ageSeconds: number;
}
