/** What wallets tell in a trace: money that came in, went between own accounts, or was corrected. */
import { nairaNumber } from "../money/kobo.ts";
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";
import { readMovementsOf, type TracedMovement, tracedWallets } from "./trace-store.ts";

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
