/** Payouts that a provider names by their session: because it hints at them, or asks whether they are ours. */
import { type Database, readEnvironment } from "../platform/database/database.ts";
import { askAboutOrder, type HintOutcome } from "../rails/ask-about-order.ts";
import { findBank } from "../rails/bank-directory.ts";
import { findOrderOfConnection } from "../rails/orders.ts";
import type { ApprovalQuestion } from "../rails/provider.ts";
import { reverseBySession } from "./steer-transfer.ts";
import type { Transfer } from "./transfer.ts";
import { orderOf, pursueTransfers, type SendDependencies } from "./transfer-order.ts";
import { findTransfer } from "./transfer-store.ts";

export interface NamedPayment {
  readonly connectionId: string;
  readonly sessionId: string;
}

function findPayment(db: Database, { connectionId, sessionId }: NamedPayment) {
  return findOrderOfConnection(db, "transfer", { connectionId, orderId: sessionId });
}

export async function askAboutPayment(deps: SendDependencies, payment: NamedPayment): Promise<HintOutcome> {
  const place = await findPayment(deps.db, payment);
  if (place === undefined) return "not_ours";
  const { environmentId } = place;
  const { sessionId, connectionId } = payment;
  return askAboutOrder<Transfer>({
    find: () => readEnvironment(deps.db, environmentId, (tx) => findTransfer(tx, place.id)),
    takeUp: () => pursueTransfers(deps).takeUp(place),
    query: async (transfer) => {
      const kind = await readEnvironment(deps.db, environmentId, async (tx) => tx.environment.kind);
      const rail = await deps.rails.bank.bound({ environmentId, kind }, connectionId);
      return rail.query(orderOf({ environmentId, kind, id: place.id }, transfer));
    },
    done: "completed",
    takeBack: () => reverseBySession(deps, { environmentId, sessionId }),
  });
}

/** Whether exactly this payment, to this account at this bank, was sent over this connection and has no outcome yet. */
export async function isPaying(
  { db }: { readonly db: Database },
  connectionId: string,
  { sessionId, amount, accountNumber, nipCode }: ApprovalQuestion,
): Promise<boolean> {
  const place = await findPayment(db, { connectionId, sessionId });
  if (place === undefined) return false;
  return readEnvironment(db, place.environmentId, async (tx) => {
    const found = await findTransfer(tx, place.id);
    if (found?.status !== "processing") return false;
    const bank = findBank(found.bankCode, tx.environment.kind);
    return found.amount === amount && found.accountNumber === accountNumber && bank?.nipCode === nipCode;
  });
}
