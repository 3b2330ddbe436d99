/** Every event is online or in one file: files follow each other, and above the last one no place of the log is empty. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";

export async function verifyArchives(tx: Tx): Promise<Difference[]> {
  const { id } = tx.environment;
  const gaps = await sql<{ file: string; expected: string; found: string }>`
    select f.file, f.expected::text, f.first_position::text as found from (
      select a.file, a.first_position,
        coalesce(lag(a.last_position) over (order by a.first_position), 0) + 1 as expected
      from event_archives a where a.environment_id = ${id}) f
    where f.first_position <> f.expected
    order by f.first_position limit 1000`.execute(tx);
  // One statement, so that what is numbered meanwhile is in both figures or in neither.
  const online = await sql<{ expected: string; found: string }>`
    select (c.total - f.floor)::text as expected, n.online::text as found
    from list_counters c
    cross join (select coalesce(max(a.last_position), 0) as floor from event_archives a
      where a.environment_id = ${id}) f
    cross join lateral (select count(*) as online from events e
      where e.environment_id = ${id} and e.list_position > f.floor) n
    where c.environment_id = ${id} and c.resource = 'events' and c.total - f.floor <> n.online`.execute(tx);
  return [
    ...gaps.rows.map(({ file, expected, found }) => ({
      check: "an archive file begins where the one before it ends",
      subject: file,
      expected,
      found,
    })),
    ...online.rows.map((figures) => ({ check: "every event is online or archived", subject: id, ...figures })),
  ];
}
