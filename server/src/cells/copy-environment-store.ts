/** Takes everything that belongs to one environment from one database to another, and compares what came across. */
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { readTenantTables, type TenantTable } from "./tenant-tables-store.ts";

/** What was counted of a table, and what its rows add up to. */
interface Measure {
  readonly rows: string;
  readonly sum: string;
}

export interface Copied {
  readonly tables: number;
  readonly rows: number;
}

/** `source` and `target` are in transactions; the source's sees one moment. The target has none of the rows yet. */
export async function copyEnvironment(
  { home, source, target }: Readonly<Record<"home" | "source" | "target", pg.ClientBase>>,
  environmentId: string,
): Promise<Copied> {
  await copyOwnRow(home, target, environmentId);
  let rows = 0;
  const tables = await readTenantTables(source);
  for (const table of tables) {
    await copyTable(source, target, table, environmentId);
    rows += await compareTable(source, target, table, environmentId);
    await liftSequences(target, table, environmentId);
  }
  await copyJobs(source, target, environmentId);
  return { tables: tables.length, rows };
}

/** The environment's own row, which comes closed. Home has the one that counts. */
async function copyOwnRow(home: pg.ClientBase, target: pg.ClientBase, environmentId: string): Promise<void> {
  const own = await home.query<{ row: string }>(
    `select row_to_json(o)::text as row
     from (select e.id, e.merchant_id, e.kind, e.name, e.created_at from environments e where e.id = $1) o`,
    [environmentId],
  );
  await target.query(
    `insert into environments (id, merchant_id, kind, name, created_at, closed)
     select id, merchant_id, kind, name, created_at, 'arriving' from json_populate_record(null::environments, $1::json)
     on conflict (id) do update set closed = 'arriving' where environments.closed is not null`,
    [own.rows[0]?.row],
  );
}

async function copyTable(
  source: pg.ClientBase,
  target: pg.ClientBase,
  { name, tenant, columns }: TenantTable,
  environmentId: string,
): Promise<void> {
  const id = pg.escapeLiteral(environmentId);
  const out = source.query(copyTo(`copy (select ${columns} from ${name} where ${tenant} = ${id}) to stdout`));
  await pipeline(out, target.query(copyFrom(`copy ${name} (${columns}) from stdin`)));
}

async function compareTable(
  source: pg.ClientBase,
  target: pg.ClientBase,
  table: TenantTable,
  environmentId: string,
): Promise<number> {
  const [sent, came] = await Promise.all([
    measure(source, table, environmentId),
    measure(target, table, environmentId),
  ]);
  if (sent.rows !== came.rows || sent.sum !== came.sum) {
    throw new Error(`${table.name} did not come across as it was: ${sent.rows} rows were sent, ${came.rows} came`);
  }
  return Number(came.rows);
}

async function measure(client: pg.ClientBase, { name, tenant }: TenantTable, environmentId: string): Promise<Measure> {
  const found = await client.query<Measure>(
    `select count(*)::text as rows, coalesce(bit_xor(hashtextextended(t::text, 0)), 0)::text as sum
     from ${name} t where ${tenant} = $1`,
    [environmentId],
  );
  const [row] = found.rows;
  if (row === undefined) throw new Error(`${name} could not be counted`);
  return row;
}

/** Numbers that the rows brought along are not given out again. Others may take some meanwhile, hence the distance. */
async function liftSequences(target: pg.ClientBase, table: TenantTable, environmentId: string): Promise<void> {
  for (const { name, column } of table.sequences) {
    await target.query(
      `select setval('${name}', greatest(b.most, s.last_value) + 10000)
       from ${name} s, (select max(${column}) as most from ${table.name} where ${table.tenant} = $1) b
       where b.most >= s.last_value`,
      [environmentId],
    );
  }
}

/** Work that waits or was under way: at the new place it is taken up like that of a worker who died. */
async function copyJobs(source: pg.ClientBase, target: pg.ClientBase, environmentId: string): Promise<void> {
  const found = await source.query<{ rows: string }>(
    `select coalesce(json_agg(case j.state when 'active' then to_jsonb(j) || '{"state": "retry"}' else to_jsonb(j) end),
       '[]')::text as rows
     from pgboss.job j where j.group_id = $1 and j.state <= 'active'`,
    [environmentId],
  );
  await target.query(
    `insert into pgboss.job select (json_populate_recordset(null::pgboss.job, $1::json)).* on conflict do nothing`,
    [found.rows[0]?.rows],
  );
}

/** Removes what belongs to the environment; its own row stays. Only for a place where it is closed. */
export async function removeEnvironment(client: pg.ClientBase, environmentId: string): Promise<number> {
  const tables = await readTenantTables(client);
  await client.query("delete from pgboss.job where group_id = $1", [environmentId]);
  let removed = 0;
  // The ledger lets nobody else take rows away.
  await client.query("set local role jara_lookup");
  for (const { name, tenant } of tables.reverse()) {
    const done = await client.query(`delete from ${name} where ${tenant} = $1`, [environmentId]);
    removed += done.rowCount ?? 0;
  }
  await client.query("reset role");
  return removed;
}
