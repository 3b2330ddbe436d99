/**
 * The end of a transfer, as a money command.
 *
 *   completed: held ──▶ bank settlement, fee income, VAT, stamp duty
 *   failed:    held ──▶ wallet, fees included
 *   reversed:  bank settlement, fee income, VAT, stamp duty ──▶ wallet
 */
import { systemAccountId } from "../../ledger/account.ts";
import { eventsOf, type Hold, legsOfHold, settlePayments } from "../../ledger/held-payment.ts";
import type { Leg, Posting } from "../../ledger/post.ts";
import type { Tx } from "../../platform/database/database.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import type { OrderEnd } from "../../rails/order-records.ts";
import { closeBatches } from "../batches/close-batches.ts";
import { presentTransfer } from "../payouts/present-transfer.ts";
import { canMove, type Transfer, type TransferStatus, transferResource } from "../payouts/transfer.ts";
import { moveTransfers } from "../payouts/transfer-store.ts";
import { totalDebit } from "../tariff/tariff.ts";

/** Told, in the same transaction, what became of a disbursement. */
export type DisbursementSettled = (tx: Tx, transfer: Transfer) => Promise<void>;

/** The same of one owner of loans: false when the disbursement is not its own. */
export type DisbursementTaken = (tx: Tx, transfer: Transfer) => Promise<boolean>;

export interface SettleCommand extends OrderEnd {
  readonly from: TransferStatus;
  readonly to: "completed" | "failed" | "reversed";
  readonly disbursementSettled?: DisbursementSettled | undefined;
}

const endOf = { completed: "spent", failed: "failed", reversed: "back" } as const;

export const settleTransfer = settlePayments<SettleCommand, Transfer>({
  name: "transfers.settle",
  canMove,
  move: moveTransfers,
  post: (tx, transfer, to) => [settlementPosting(tx, transfer, to)],
  async write(tx, settled) {
    const payouts = settled.filter(({ payment }) => payment.purpose === "payout");
    const show = (shown: Transfer) => presentTransfer(shown, tx.environment.kind);
    await recordEvents(tx, eventsOf(transferResource, payouts, show));
    await closeBatches(
      tx,
      payouts.map(({ payment }) => payment),
    );
    for (const { command, payment } of settled) {
      if (payment.purpose === "disbursement") await tellLender(tx, command, payment);
    }
  },
});

/** The loan and the money that was paid out for it move together or not at all. */
async function tellLender(tx: Tx, { disbursementSettled }: SettleCommand, transfer: Transfer): Promise<void> {
  if (disbursementSettled === undefined) throw new Error(`nobody takes the outcome of disbursement ${transfer.id}`);
  await disbursementSettled(tx, transfer);
}

function settlementPosting(tx: Tx, transfer: Transfer, to: SettleCommand["to"]): Posting {
  return {
    id: tx.environment.clock.newId(),
    kind: transfer.purpose === "payout" ? `transfer.${to}` : `disbursement.${to}`,
    resource: { type: transferResource, id: transfer.id, reference: transfer.reference },
    narration: transfer.narration,
    legs: legsOfHold(holdOf(tx.environment.id, transfer), endOf[to]),
  };
}

function holdOf(environmentId: string, transfer: Transfer): Hold {
  const parts: readonly (readonly [string, Leg["amount"]])[] = [
    ["bank_settlement", transfer.amount],
    ["fee_income", transfer.fee],
    ["vat_payable", transfer.vat],
    ["stamp_duty_payable", transfer.stampDuty],
  ];
  const spent = parts.map(([purpose, amount]) => ({ accountId: systemAccountId(environmentId, purpose), amount }));
  return { walletId: transfer.sourceAccountId, total: totalDebit(transfer), spent };
}
