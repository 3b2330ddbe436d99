/**
 * The floor of an environment's log of events: what stands at it or below was taken to archive files, and what stands
 * above is online. The floor moves at one moment, when a file is committed. Rows below it may still be there for a
 * while; no reader shows them.
 */
import { sql } from "kysely";
import type { Tx } from "../database/database.ts";

export interface EventFloor {
  /** The position of the last archived event; 0 while there is none. */
  readonly position: bigint;
  readonly eventId: string | null;
  /** The latest moment of an archived event, in the environment's time. */
  readonly until: Date | null;
}

export async function readEventFloor(tx: Tx): Promise<EventFloor> {
  const row = await tx
    .selectFrom("event_archives")
    .select(["last_position", "last_event_id", "last_at"])
    .where("environment_id", "=", tx.environment.id)
    .orderBy("first_position", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return { position: 0n, eventId: null, until: null };
  return { position: row.last_position, eventId: row.last_event_id, until: row.last_at };
}

/** Whoever sends events again holds this until commit, and reads the floor afterwards: it cannot rise meanwhile. */
export async function holdEventFloor(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${floorLock(tx)})`.execute(tx);
}

/** Whoever moves the floor waits for those who hold it. */
export async function lockEventFloor(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${floorLock(tx)})`.execute(tx);
}

const floorLock = (tx: Tx) => sql`hashtextextended(${`jara.event-floor/${tx.environment.id}`}, 0)`;
