import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { PageRequest } from "../platform/records/pagination.ts";
import type { Decision, DecisionFilter } from "./decision.ts";

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
