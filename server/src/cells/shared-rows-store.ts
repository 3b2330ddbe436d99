/**
 * Rows that belong to no environment and that environments refer to. They are written at home, never change and are
 * never taken away, so a cell has a copy of each. What changes about a provider's connection is only asked at home.
 */
import pg from "pg";

/** In the order in which they refer to each other, each with its key. */
const shared: readonly (readonly [table: string, key: string])[] = [
  ["merchants", "id"],
  ["rail_connections", "id"],
  ["bill_catalogues", "version"],
  ["bill_rates", "category, version"],
  ["transfer_tariffs", "version"],
];

const operator = "00000000-0000-0000-0000-000000000000";

/** A pool, or a connection outside a transaction. */
export interface Asked {
  query(statement: string): Promise<unknown>;
}

/** Brings a cell what it lacks. Rows are never taken away, so equal counts mean equal rows. */
export async function mirrorSharedRows(home: Asked, cell: Asked): Promise<void> {
  const [ours, theirs] = await Promise.all([countRows(home), countRows(cell)]);
  for (const [table, key] of shared) {
    if (ours[table] !== theirs[table]) await mirrorTable(home, cell, table, key);
  }
}

async function countRows(asked: Asked): Promise<Readonly<Record<string, unknown>>> {
  const counts = shared.map(([table]) => `(select count(*) from ${table})::text as ${table}`);
  return (await inOperatorScope(asked, `select ${counts.join(", ")}`)) ?? {};
}

async function mirrorTable(home: Asked, cell: Asked, table: string, key: string): Promise<void> {
  const keysOf = `select coalesce(json_agg(json_build_array(${key})), '[]')::text as keys from ${table}`;
  const known = pg.escapeLiteral((await inOperatorScope<{ keys: string }>(cell, keysOf))?.keys ?? "[]");
  const missing = await inOperatorScope<{ rows: string }>(
    home,
    `select coalesce(json_agg(t), '[]')::text as rows from ${table} t
     where json_build_array(${key})::text not in (select k::text from json_array_elements(${known}::json) k)`,
  );
  const rows = pg.escapeLiteral(missing?.rows ?? "[]");
  await inOperatorScope(
    cell,
    `insert into ${table} select * from json_populate_recordset(null::${table}, ${rows}::json) on conflict do nothing`,
  );
}

/** Together with the setting, as one text: one round trip and one transaction. */
async function inOperatorScope<Row extends pg.QueryResultRow>(
  asked: Asked,
  statement: string,
): Promise<Row | undefined> {
  const setting = `select set_config('jara.environment_id', '${operator}', true)`;
  const results = (await asked.query(`${setting}; ${statement}`)) as pg.QueryResult<Row>[];
  return results[1]?.rows[0];
}
