/** How far each provider's list of payments was read. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";

export interface SweepMark {
  /** Everything before was read. */
  readonly sweptTo: Date;
  /** When what was read long ago was read again. */
  readonly lookedBackAt: Date;
}

export async function readSweepMark(tx: Tx, connectionId: string): Promise<SweepMark | undefined> {
  const row = await tx
    .selectFrom("inbound_sweeps")
    .select(["swept_to", "looked_back_at"])
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row && { sweptTo: row.swept_to, lookedBackAt: row.looked_back_at };
}

/** Never back: another worker may have been faster. */
export async function moveSweepMark(tx: Tx, connectionId: string, { sweptTo, lookedBackAt }: SweepMark): Promise<void> {
  await sql`
    insert into inbound_sweeps as s (connection_id, swept_to, looked_back_at)
    values (${connectionId}, ${sweptTo}, ${lookedBackAt})
    on conflict (connection_id) do update set
      swept_to = greatest(s.swept_to, excluded.swept_to),
      looked_back_at = greatest(s.looked_back_at, excluded.looked_back_at)`.execute(tx);
}
