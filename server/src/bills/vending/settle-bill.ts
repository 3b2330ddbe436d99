/**
 * The end of a bill, as a money command.
 *
 *   successful: held ──▶ bills settlement, fee income      commission expense ──▶ wallet
 *   failed:     held ──▶ wallet, fee included
 *   reversed:   bills settlement, fee income ──▶ wallet    wallet ──▶ commission expense
 */
import { systemAccountId } from "../../ledger/account.ts";
import { eventsOf, type Hold, legsOfHold, type Settlement, settlePayments } from "../../ledger/held-payment.ts";
import type { Leg, Posting } from "../../ledger/post.ts";
import { negate } from "../../money/arithmetic.ts";
import type { Tx } from "../../platform/database/database.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import { type Bill, billResource, canMove, totalHeld } from "./bill.ts";
import { moveBills, type SettleCommand } from "./bill-store.ts";
import { presentBill } from "./present-bill.ts";

import { type CustomerKey, forgetValidations } from "./validation-store.ts";

const endOf = { successful: "spent", failed: "failed", reversed: "back" } as const;

export const settleBill = settlePayments<SettleCommand, Bill>({
  name: "bills.settle",
  canMove,
  move: moveBills,
  post: (tx, bill, to) => [
    postingOf(tx, bill, `bill.${to}`, legsOfHold(holdOf(tx.environment.id, bill), endOf[to])),
    ...commissionPostings(tx, bill, to),
  ],
  async write(tx, settled) {
    await forgetValidations(
      tx,
      settled.filter(changesPackage).map(({ payment }) => customerOf(payment)),
    );
    const show = (shown: Bill) => presentBill(shown, tx.environment.kind);
    await recordEvents(tx, eventsOf(billResource, settled, show));
  },
});

/**
 * Whether another package runs on the card from now on. Then what was validated before is no longer what the customer
 * has, and a renewal must not stand on it.
 */
function changesPackage({ command, payment }: Settlement<SettleCommand, Bill>): boolean {
  return payment.subscriptionType === "change" && command.to !== "failed";
}

function customerOf({ category, provider, customer }: Bill): CustomerKey {
  return { category, provider, customer: customer.identifier };
}

function holdOf(environmentId: string, bill: Bill): Hold {
  const spent = [
    { accountId: systemAccountId(environmentId, "bills_settlement"), amount: bill.amount },
    { accountId: systemAccountId(environmentId, "fee_income"), amount: bill.fee },
  ];
  return { walletId: bill.sourceAccountId, total: totalHeld(bill), spent };
}

/** The commission is a statement line of its own. What comes back on a reversal always covers what is taken back. */
function commissionPostings(tx: Tx, bill: Bill, to: SettleCommand["to"]): Posting[] {
  if (to === "failed" || bill.commission === 0n) return [];
  const earned = to === "successful" ? bill.commission : negate(bill.commission);
  const kind = to === "successful" ? "bill.commission" : "bill.commission_reversed";
  const legs = [
    { accountId: bill.sourceAccountId, amount: earned },
    { accountId: systemAccountId(tx.environment.id, "commission_expense"), amount: negate(earned) },
  ];
  return [postingOf(tx, bill, kind, legs)];
}

function postingOf(tx: Tx, bill: Bill, kind: string, legs: readonly Leg[]): Posting {
  return {
    id: tx.environment.clock.newId(),
    kind,
    resource: { type: billResource, id: bill.id, reference: bill.reference },
    narration: bill.product.name,
    legs,
  };
}
