import { sql } from "kysely";
import type { Database, Tx } from "../platform/database/database.ts";
import type { HoldReason } from "../rails/answer.ts";

/** The rails whose orders wait while they are held. */
export const heldPorts = ["bank", "biller"] as const;

export type HeldPort = (typeof heldPorts)[number];

/** Far more than sandboxes that anybody plays with at a time. */
const mostHolds = 100_000;

export interface SandboxHold {
  readonly environmentId: string;
  readonly port: HeldPort;
  readonly reason: HoldReason;
}

/** The holds of all sandboxes. */
export async function readHolds(db: Database): Promise<readonly SandboxHold[]> {
  const found = await sql<SandboxHold>`
    select environment_id as "environmentId", port, reason from read_sandbox_rail_holds(${mostHolds})`.execute(db);
  return found.rows;
}

export async function writeHold(tx: Tx, port: HeldPort, reason: HoldReason | null): Promise<void> {
  const { id } = tx.environment;
  if (reason === null) {
    const ofPort = tx.deleteFrom("sandbox_rail_holds").where("environment_id", "=", id).where("port", "=", port);
    await ofPort.execute();
    return;
  }
  await tx
    .insertInto("sandbox_rail_holds")
    .values({ environment_id: id, port, reason })
    .onConflict((taken) => taken.columns(["environment_id", "port"]).doUpdateSet({ reason }))
    .execute();
}
