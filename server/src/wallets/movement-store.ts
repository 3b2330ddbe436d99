/** Reading and writing movements. */
import { sql } from "kysely";
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Movement, MovementKind } from "./movement.ts";

/** One statement for many: movements between own accounts are committed in groups. */
export async function insertMovements(tx: Tx, movements: readonly Movement[]): Promise<void> {
  const rows = movements.map((movement) => ({ ...movement, amount: String(movement.amount) }));
  await sql`
    insert into wallet_movements (environment_id, id, kind, reference, from_account_id, to_account_id, amount,
      sender_name, reason, created_at)
    select ${tx.environment.id}::uuid, m.id, m.kind, m.reference, m."from", m."to", m.amount, m."senderName",
      m.reason, m."createdAt"
    from json_to_recordset(${JSON.stringify(rows)}::json) as m (id uuid, kind text, reference text, "from" uuid,
      "to" uuid, amount bigint, "senderName" text, reason text, "createdAt" timestamptz)`.execute(tx);
}

export async function findMovement(tx: Tx, id: string): Promise<Movement | undefined> {
  const row = await tx
    .selectFrom("wallet_movements")
    .select(["id", "kind", "reference", "from_account_id", "to_account_id", "amount", "sender_name", "reason"])
    .select("created_at")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    kind: row.kind as MovementKind,
    reference: row.reference,
    from: row.from_account_id,
    to: row.to_account_id,
    amount: kobo(row.amount),
    senderName: row.sender_name,
    reason: row.reason,
    createdAt: row.created_at,
  };
}
