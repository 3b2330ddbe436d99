/**
 * The end of a bill, as a money command. The state moves by compare-and-set before anything is posted: of two workers
 * with an answer only one wins, and the loser posts nothing. Money, state and event commit together.
 *
 *   successful: held ──▶ bills settlement, fee income      commission expense ──▶ wallet
 *   failed:     held ──▶ wallet, fee included
 *   reversed:   bills settlement, fee income ──▶ wallet    wallet ──▶ commission expense
 */
import { heldAccountId, systemAccountId } from "../ledger/account.ts";
import type { CommandKind, Plan } from "../ledger/command.ts";
import type { Leg, Posting } from "../ledger/post.ts";
import { negate } from "../money/arithmetic.ts";
import type { Tx } from "../platform/database/database.ts";
import { recordEvents } from "../platform/records/outbox.ts";
import { type Bill, billResource, canMove, totalHeld } from "./bill.ts";
import { presentBill } from "./present-bill.ts";
import { moveBills } from "./settle-store.ts";
import type { SettleCommand, Settled, SettledRecord } from "./settlement.ts";
import { type CustomerKey, forgetValidations } from "./validation-store.ts";

export const settleBill: CommandKind<SettleCommand, Settled, SettledRecord> = {
  name: "bills.settle",
  async plan(tx, commands) {
    refuseImpossible(commands);
    const moved = await moveBills(tx, commands);
    return commands.map((command): Plan<Settled, SettledRecord> => {
      const bill = moved.get(command.id);
      // A command that stands twice in a batch wins once.
      moved.delete(command.id);
      if (bill === undefined) return { next: "answer", output: null };
      const [posting, also] = [settlementPosting(tx, bill, command.to), commissionPostings(tx, bill, command.to)];
      return { next: "post", posting, also, record: { command, bill } };
    });
  },
  async write(tx, settled) {
    await forgetValidations(
      tx,
      settled.filter(changesPackage).map(({ bill }) => customerOf(bill)),
    );
    await recordEvents(
      tx,
      settled.map(({ command, bill }) => ({
        event: `bill.${command.to}`,
        resourceType: billResource,
        resourceId: bill.id,
        resourceVersion: bill.version,
        data: presentBill(bill, command.environment),
      })),
    );
    return settled.map(({ bill }) => bill);
  },
};

/**
 * Whether another package runs on the card from now on. Then what was validated before is no longer what the customer
 * has, and a renewal must not stand on it.
 */
function changesPackage({ command, bill }: SettledRecord): boolean {
  return bill.subscriptionType === "change" && command.to !== "failed";
}

function customerOf({ category, provider, customer }: Bill): CustomerKey {
  return { category, provider, customer: customer.identifier };
}

/** A step that the transition table does not have is a bug of ours, whoever asked for it. */
function refuseImpossible(commands: readonly SettleCommand[]): void {
  for (const { id, from, to } of commands) {
    if (!canMove(from, to)) throw new Error(`bill ${id} cannot go from ${from} to ${to}`);
  }
}

function settlementPosting(tx: Tx, bill: Bill, to: SettleCommand["to"]): Posting {
  return postingOf(tx, bill, `bill.${to}`, settlementLegs(tx.environment.id, bill, to));
}

function settlementLegs(environmentId: string, bill: Bill, to: SettleCommand["to"]): Leg[] {
  const wallet = bill.sourceAccountId;
  const total = totalHeld(bill);
  const held = { accountId: heldAccountId(wallet), amount: negate(total) };
  const givenBack = { accountId: wallet, amount: total };
  const spent = [
    { accountId: systemAccountId(environmentId, "bills_settlement"), amount: bill.amount },
    { accountId: systemAccountId(environmentId, "fee_income"), amount: bill.fee },
  ];
  if (to === "successful") return [held, ...spent];
  if (to === "failed") return [held, givenBack];
  return [...spent.map((leg) => ({ ...leg, amount: negate(leg.amount) })), givenBack];
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
    legs: legs.filter((leg) => leg.amount !== 0n),
  };
}
