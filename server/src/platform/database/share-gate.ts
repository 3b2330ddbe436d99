import { sql } from "kysely";
import type { Tx } from "./database.ts";

/** While it is held the sandbox is not emptied. */
export async function shareGate(tx: Tx): Promise<void> {
  await sql`select share_environment_gate(${tx.environment.id}::uuid)`.execute(tx);
}
