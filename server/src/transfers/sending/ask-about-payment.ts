/** Payouts that a provider names by their session: because it hints at them, or asks whether they are ours. */
import { type Database, readEnvironment } from "../../platform/database/database.ts";
import { askAboutNamed, type HintOutcome } from "../../rails/ask-about-order.ts";
import { findBank } from "../../rails/bank-directory.ts";
import { findOrderOfConnection } from "../../rails/orders.ts";
import type { ApprovalQuestion } from "../../rails/provider.ts";
import type { Transfer } from "../payouts/transfer.ts";
import { findTransfer } from "../payouts/transfer-store.ts";
import { reverseBySession } from "./steer-transfer.ts";
import { orderOf, pursueTransfers, type SendDependencies } from "./transfer-order.ts";

interface NamedPayment {
  readonly connectionId: string;
  readonly sessionId: string;
}

export function askAboutPayment(
  deps: SendDependencies,
  { connectionId, sessionId }: NamedPayment,
): Promise<HintOutcome> {
  return askAboutNamed<Transfer>(
    deps.db,
    { connectionId, orderId: sessionId },
    {
      kind: "transfer",
      find: findTransfer,
      takeUp: (name) => pursueTransfers(deps).takeUp(name),
      query: async (key, transfer) => (await deps.rails.bank.bound(key, connectionId)).query(orderOf(key, transfer)),
      done: "completed",
      takeBack: ({ environmentId }) => reverseBySession(deps, { environmentId, sessionId }),
    },
  );
}

/** Whether exactly this payment, to this account at this bank, was sent over this connection and has no outcome yet. */
export async function isPaying(
  { db }: { readonly db: Database },
  connectionId: string,
  { sessionId, amount, accountNumber, nipCode }: ApprovalQuestion,
): Promise<boolean> {
  const place = await findOrderOfConnection(db, "transfer", { connectionId, orderId: sessionId });
  if (place === undefined) return false;
  return readEnvironment(db, place.environmentId, async (tx) => {
    const found = await findTransfer(tx, place.id);
    if (found?.status !== "processing") return false;
    const bank = findBank(found.bankCode, tx.environment.kind);
    return found.amount === amount && found.accountNumber === accountNumber && bank?.nipCode === nipCode;
  });
}
