/**
 * Waits until payments are final and their events delivered. What a killed server had in hand comes back when its lease
 * ends, after up to two minutes, and what a receiver turned away after a longer and longer while. What was written down
 * is made older instead, which to the servers is the same as minutes that went by.
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

const stillOpen = `
  select (select count(*) from transfers where environment_id = $1 and (status in ('pending', 'processing')
           or (status = 'completed' and reference like '%\\_REVERSE')))
       + (select count(*) from bills where environment_id = $1 and (status in ('pending', 'processing')
           or (status = 'successful' and reference like '%\\_REVERSE')))
       + (select count(*) from events where environment_id = $1 and list_position is null)
       + (select count(*) from webhook_deliveries where environment_id = $1 and status <> 'delivered') as open`;

/** Leases that were taken more than some seconds ago: a server that lives and has just taken one keeps it. */
const leases = [
  { table: "transfers", key: "environment_id, id", seconds: 60 },
  { table: "bills", key: "environment_id, id", seconds: 120 },
  { table: "webhook_deliveries", key: "environment_id, event_id, endpoint_id", seconds: 45 },
].map(
  ({ table, key, seconds }) => `update ${table} set claim_at = claim_at - interval '5 minutes'
    where (${key}) in (select ${key} from ${table} where status in ('pending', 'processing')
      and claim_at < clock_timestamp() + interval '${seconds - 5} seconds' for update skip locked)`,
);
const appointments = `
  update agenda set due_at = due_at - interval '5 minutes', wake_at = wake_at - interval '5 minutes'
  where (environment_id, id) in (select environment_id, id from agenda for update skip locked)`;

/** Returns how much was still open when patience ran out. */
export async function untilDelivered(ownerUrl: string, environmentId: string, patienceMs: number): Promise<number> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const deadline = performance.now() + patienceMs;
  try {
    for (;;) {
      const found = await owner.query<{ open: string }>(stillOpen, [environmentId]);
      const open = Number(found.rows[0]?.open);
      if (open === 0 || performance.now() > deadline) return open;
      for (const statement of [...leases, appointments]) await owner.query(statement);
      await pause(250);
    }
  } finally {
    await owner.end();
  }
}
