/** What traces read of money that wallets gain and lose by other ways than payouts and bills. */
import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind } from "../platform/records/trace.ts";
import type { MovementKind } from "./movement.ts";

export const tracedWallets: readonly TracedKind[] = [{ kind: "wallet_movement", table: "wallet_movements" }];

export interface TracedMovement {
  readonly id: string;
  readonly kind: MovementKind;
  readonly amount: Kobo;
  readonly reference: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly createdAt: Date;
  /** Of a credit that came by a provider. */
  readonly paidAt: Date | null;
  readonly senderBank: string | null;
  readonly senderAccount: string | null;
}

export async function readMovementsOf(tx: Tx, ids: readonly string[]): Promise<TracedMovement[]> {
  const found = await sql<Omit<TracedMovement, "amount"> & { amount: bigint }>`
    select m.id, m.kind, m.amount, m.reference, m.from_account_id as "from", m.to_account_id as "to",
      m.created_at as "createdAt", c.paid_at as "paidAt", c.sender_bank as "senderBank",
      c.sender_account as "senderAccount"
    from wallet_movements m
    left join inbound_credits c on c.movement_id = m.id and c.wallet_environment = m.environment_id
    where m.environment_id = ${tx.environment.id} and m.id = any (${ids}::uuid[])
    limit ${ids.length}`.execute(tx);
  return found.rows.map((row) => ({ ...row, amount: kobo(row.amount) }));
}
