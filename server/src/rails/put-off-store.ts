/** Orders that wait longer: no worker holds them, and none takes them up before their time. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { schedule } from "../platform/work/agenda.ts";
import type { WaitingOrders } from "./order.ts";

export async function putOff(
  tx: Tx,
  { table, task }: WaitingOrders,
  ids: readonly string[],
  delayMs: number,
): Promise<void> {
  const { id, clock } = tx.environment;
  if (clock.mode === "running") {
    await sql`
      update ${sql.table(table)} set claim_at = clock_timestamp() + make_interval(secs => ${delayMs / 1000})
      where environment_id = ${id} and id = any (${ids}::uuid[]) and status = 'pending'`.execute(tx);
    return;
  }
  // A stopped clock brings its work by the agenda only.
  const dueAt = clock.after(delayMs);
  await schedule(
    tx,
    ids.map((subject) => ({ kind: task, subject, dueAt })),
  );
}
