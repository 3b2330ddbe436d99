import { sql } from "kysely";
import { enterEnvironment, type Tx } from "../database/database.ts";

/**
 * Empties the sandbox that the transaction has entered as a reader: a writer would hold the very gate that the reset
 * must have alone. Afterwards the transaction stands in the empty sandbox, at real time. Returns how many rows went.
 */
export async function resetSandbox(tx: Tx): Promise<{ readonly emptied: Tx; readonly removed: bigint }> {
  const { id } = tx.environment;
  const reset = await sql<{ removed: bigint }>`select reset_sandbox(${id}::uuid) as removed`.execute(tx);
  // After the agenda is empty: the ticker may have been making jobs of its last entries.
  await sql`delete from pgboss.job where group_id = ${id}`.execute(tx);
  return { emptied: await enterEnvironment(tx, id), removed: reset.rows[0]?.removed ?? 0n };
}
