/** What wallets tell in a trace: money that came in, went between own accounts, or was corrected. */

import { sql } from "kysely";
import { type Kobo, kobo, nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind, TraceSource, TraceStep } from "../platform/records/trace.ts";
import type { MovementKind } from "./movement.ts";

/** What traces read of money that wallets gain and lose by other ways than payouts and bills. */
const tracedWallets: readonly TracedKind[] = [{ kind: "wallet_movement", table: "wallet_movements" }];

interface TracedMovement {
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

async function readMovementsOf(tx: Tx, ids: readonly string[]): Promise<TracedMovement[]> {
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

export const movementTrace: TraceSource = {
  records: tracedWallets,
  tell: async (tx, { ids }) => ({ steps: ids.length === 0 ? [] : (await readMovementsOf(tx, ids)).flatMap(stepsOf) }),
};

const titles = {
  funding: "Funded by the sandbox",
  inbound_credit: "Somebody paid into the account",
  own_transfer: "Moved between own accounts",
  operator_credit: "Credited by an operator",
  operator_debit: "Debited by an operator",
} as const;

function stepsOf({ id, kind, amount, reference, from, to, createdAt, ...paid }: TracedMovement): TraceStep[] {
  const ids = { wallet_movement: id };
  const detail = { amount: nairaNumber(amount), reference, from, to };
  const moved: TraceStep = { at: createdAt, kind: "state", title: titles[kind], detail, ids, ok: true, turn: 1 };
  const { paidAt, senderBank, senderAccount } = paid;
  if (paidAt === null) return [moved];
  const answered = { paidAt: paidAt.toISOString(), senderBank, senderAccount };
  const told = {
    kind: "rail",
    title: "The provider confirmed the credit",
    detail: { answered },
    ids,
    ok: true,
  } as const;
  return [{ at: createdAt, ...told, turn: 0.5 }, moved];
}
