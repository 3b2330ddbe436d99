/**
 * Work is due by the database's clock. When that clock jumps ahead and comes back, what was booked in between is due
 * far in the future, and nothing else would look at it before. Here it is brought forward. A clock that is wrong by
 * less than five minutes is not noticed: the work waits as long.
 */
import { sql } from "kysely";
import { type Database, inTransaction, type PlainTx } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import { jobsSchema } from "./jobs.ts";

/** Of each kind, in one transaction. */
const mostAtOnce = 5_000;

export async function bringForward(db: Database, log: Logger): Promise<void> {
  const brought = await inTransaction(db, async (trx) => [...(await bringWork(trx)), await bringJobs(trx)]);
  for (const { kind, count } of brought) {
    if (count > 0) log.warn({ kind, count }, "work booked while the database's clock was ahead was brought forward");
  }
}

interface Brought {
  readonly kind: string;
  readonly count: number;
}

async function bringWork(trx: PlainTx): Promise<Brought[]> {
  const found = await sql<Brought>`
    select kind, brought::integer as count from bring_forward_work(${mostAtOnce})`.execute(trx);
  return found.rows;
}

/**
 * A job that failed starts again within half a minute, so none is due later. One under way keeps its start, by which
 * its worker proves that it still owns it; the heartbeat shows whether that worker lives. A queue whose last
 * supervision is dated in the future would not be supervised until then.
 */
async function bringJobs(trx: PlainTx): Promise<Brought> {
  const [job, queue] = [sql.table(`${jobsSchema}.job`), sql.table(`${jobsSchema}.queue`)];
  await sql`
    update ${queue} set monitor_claim_on = null, monitor_on = null, maintain_on = null
    where greatest(monitor_claim_on, monitor_on, maintain_on) > now() + interval '5 minutes'`.execute(trx);
  await sql`
    update ${job} set heartbeat_on = now()
    where state = 'active' and heartbeat_on > now() + interval '5 minutes'`.execute(trx);
  const moved = await sql`
    update ${job} set start_after = now()
    where state < 'active' and start_after > now() + interval '5 minutes'`.execute(trx);
  return { kind: "jobs", count: Number(moved.numAffectedRows ?? 0n) };
}
