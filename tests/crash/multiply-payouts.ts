/**
 * Many payouts from few: what some real ones have left behind is written again and again by the database, each time
 * under other ids and references, and the accounts move on as if each of them had been paid. The ledger of it all is
 * sound, as `npm run verify` recomputes it.
 */
import pg from "pg";

/** So many copies in one statement. */
const atOnce = 50;

/** The time in an id moves on by a second; the rest of it is chance, so that no two are equal. */
const copied = (column: string) =>
  `(lpad(to_hex(('x' || left(replace(t.${column}::text, '-', ''), 12))::bit(48)::bigint + n * 1000), 12, '0')
    || right(replace(t.${column}::text, '-', ''), 20))::uuid`;
const session = "left(t.session_id, 6) || lpad(n::text, 12, '0') || right(t.session_id, 12)";
const reference = "t.reference || '-' || n";

interface Table {
  readonly name: string;
  readonly where: string;
  /** Figures that the changes need, and where they come from. */
  readonly figures?: string;
  readonly join?: string;
  /** What is different in the copy number n. */
  readonly changes: Readonly<Record<string, string>>;
}

const tables: readonly Table[] = [
  {
    name: "transfers",
    where: "t.environment_id = $1",
    figures: "c.total",
    join: "join list_counters c on c.environment_id = t.environment_id and c.resource = 'transfers'",
    changes: { id: copied("id"), reference, session_id: session, list_position: "t.list_position + n * t.total" },
  },
  {
    name: "reference_claims",
    where: "t.environment_id = $1 and t.kind = 'transfers'",
    changes: { reference, record_id: copied("record_id") },
  },
  {
    name: "ledger_transactions",
    where: "t.environment_id = $1 and t.resource_type = 'transfer'",
    changes: { id: copied("id"), resource_id: copied("resource_id") },
  },
  {
    name: "entries",
    where: "t.environment_id = $1 and l.resource_type = 'transfer'",
    figures: "b.net, b.entries",
    join: `join ledger_transactions l on l.environment_id = t.environment_id and l.id = t.transaction_id
      join block b on b.account_id = t.account_id`,
    changes: {
      transaction_id: copied("transaction_id"),
      balance_after: "t.balance_after + n * t.net",
      account_entry: "t.account_entry + n * t.entries",
    },
  },
  {
    name: "events",
    where: "t.environment_id = $1 and t.resource_type = 'transfer'",
    figures: "c.total",
    join: "cross join (select count(*) as total from events where environment_id = $1 and resource_type = 'transfer') c",
    changes: {
      id: copied("id"),
      resource_id: copied("resource_id"),
      list_position: "t.list_position + n * t.total",
    },
  },
  {
    name: "simulated_bank.payments",
    where: "t.sandbox = $1",
    changes: { session_id: session, reference },
  },
];

/** The environment must be at rest. Afterwards it has each of its payouts `times` times. */
export async function multiplyPayouts(ownerUrl: string, environmentId: string, times: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("set synchronous_commit = off");
    await client.query(
      `create temp table block as
       select e.account_id, sum(e.amount)::bigint as net, count(*) as entries
       from entries e join ledger_transactions l on l.environment_id = e.environment_id and l.id = e.transaction_id
       where e.environment_id = '${environmentId}' and l.resource_type = 'transfer' group by 1`,
    );
    await client.query("begin");
    for (const [place, table] of tables.entries()) await keepOriginals(client, table, place, environmentId);
    for (let first = 1; first < times; first += atOnce) {
      const last = Math.min(first + atOnce, times) - 1;
      for (const [place, table] of tables.entries()) await copy(client, table, place, first, last);
    }
    const more = times - 1;
    await client.query(
      `update accounts a set balance = a.balance + b.net * $2::bigint,
         entry_count = case when a.has_floor then a.entry_count + b.entries * $2::bigint else a.entry_count end
       from block b where a.environment_id = $1 and a.id = b.account_id`,
      [environmentId, more],
    );
    await client.query(
      `update list_counters set total = total + $2 * case resource
         when 'transfers' then (select count(*) from originals_0) else (select count(*) from originals_4) end
       where environment_id = $1 and resource in ('transfers', 'events')`,
      [environmentId, more],
    );
    await client.query("select catch_up_list_counts()");
    await client.query("commit");
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

const originals = (place: number) => `originals_${place}`;

/** Only the rows that are there now are copied, and not the copies again. */
async function keepOriginals(client: pg.Client, table: Table, place: number, environmentId: string): Promise<void> {
  const { name, where, figures, join = "" } = table;
  const columns = figures === undefined ? "t.*" : `t.*, ${figures}`;
  const text = `create temp table ${originals(place)} as select ${columns} from ${name} t ${join} where ${where}`;
  await client.query(text.replaceAll("$1", `'${environmentId}'`));
}

/** A copy number n is the original with these columns changed; what the database generates is left to it. */
async function copy(
  client: pg.Client,
  { name, changes }: Table,
  place: number,
  first: number,
  last: number,
): Promise<void> {
  const [schema, table] = name.includes(".") ? name.split(".") : ["public", name];
  const found = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = $1 and table_name = $2 and is_generated = 'NEVER' and is_identity = 'NO'
     order by ordinal_position`,
    [schema, table],
  );
  const columns = found.rows.map((row) => row.name);
  const values = columns.map((column) => changes[column] ?? `t.${column}`);
  await client.query(
    `insert into ${name} (${columns.join(", ")})
     select ${values.join(", ")} from ${originals(place)} t, generate_series(${first}, ${last}) n`,
  );
}
