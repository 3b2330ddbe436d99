/** Questions to the campaign's PostgreSQL, past the servers. */
import pg from "pg";

export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  given: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, given)).rows;
  } finally {
    await client.end();
  }
}

export async function readClock(url: string): Promise<Date> {
  const [row] = await query<{ now: Date }>(url, "select date_trunc('milliseconds', clock_timestamp()) as now");
  if (row === undefined) throw new Error("the database has no clock");
  return row.now;
}

/** As if the minute had gone by after which PostgreSQL hands over a segment that is not full. */
export async function archiveAll(url: string): Promise<void> {
  const [row] = await query<{ segment: string }>(url, "select pg_walfile_name(pg_switch_wal()) as segment");
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const [done] = await query<{ done: boolean }>(
      url,
      "select coalesce(last_archived_wal >= $1, false) as done from pg_stat_archiver",
      [row?.segment],
    );
    if (done?.done === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the log of changes was not archived within 30 s");
}
