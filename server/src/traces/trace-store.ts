import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind } from "../platform/records/trace.ts";

export interface FoundRecord {
  readonly kind: string;
  /** The record whose story it is part of. */
  readonly partOf: string | null;
}

/** What the id is in this environment: one question to all tables, each answered by its primary key. */
export async function findRecord(tx: Tx, kinds: readonly TracedKind[], id: string): Promise<FoundRecord | undefined> {
  const asked = kinds.map(
    ({ kind, table, partOf = sql<null>`null`, lastResort = false }) => sql`
      select ${kind} as kind, ${partOf}::uuid as "partOf", ${lastResort}::boolean as "lastResort"
      from ${sql.table(table)} where environment_id = ${tx.environment.id} and id = ${id}::uuid`,
  );
  const found = await sql<FoundRecord>`
    select kind, "partOf" from (${sql.join(asked, sql` union all `)}) as found
    order by "lastResort" limit 1`.execute(tx);
  return found.rows[0];
}

/** The environments that have a record with this id. The transaction must be in the operator's scope. */
export async function findEnvironmentsOf(tx: Tx, kinds: readonly TracedKind[], id: string): Promise<string[]> {
  const tables = [...new Set(kinds.map(({ table }) => table))];
  const found = await sql<{ environment_id: string }>`
    select distinct environment_id from find_environments_of_record(${tables}::text[], ${id}::uuid)`.execute(tx);
  return found.rows.map((row) => row.environment_id);
}
