/**
 * The end of a transfer, as a money command. The state moves by compare-and-set before anything is posted: of two
 * workers with an answer only one wins, and the loser posts nothing. Money, state and event commit together.
 *
 *   completed: held ──▶ bank settlement, fee income, VAT, stamp duty
 *   failed:    held ──▶ wallet, fees included
 *   reversed:  bank settlement, fee income, VAT, stamp duty ──▶ wallet
 */
import { heldAccountId, type SystemPurpose, systemAccountId } from "../ledger/account.ts";
import type { CommandKind, Plan } from "../ledger/command.ts";
import type { Leg, Posting } from "../ledger/post.ts";
import { negate } from "../money/arithmetic.ts";
import type { Tx } from "../platform/database/database.ts";
import { recordEvents } from "../platform/records/outbox.ts";
import { closeBatches } from "./close-batches.ts";
import { presentTransfer } from "./present-transfer.ts";
import { moveTransfers } from "./settle-store.ts";
import type { SettleCommand, Settled, SettledRecord } from "./settlement.ts";
import { totalDebit } from "./tariff.ts";
import { canMove, type Transfer, transferResource } from "./transfer.ts";

export const settleTransfer: CommandKind<SettleCommand, Settled, SettledRecord> = {
  name: "transfers.settle",
  async plan(tx, commands) {
    refuseImpossible(commands);
    const moved = await moveTransfers(tx, commands);
    return commands.map((command): Plan<Settled, SettledRecord> => {
      const transfer = moved.get(command.id);
      // A command that stands twice in a batch wins once.
      moved.delete(command.id);
      if (transfer === undefined) return { next: "answer", output: null };
      const posting = settlementPosting(tx, transfer, command.to);
      return { next: "post", posting, record: { command, transfer } };
    });
  },
  async write(tx, settled) {
    const payouts = settled.filter(({ transfer }) => transfer.purpose === "payout");
    await recordEvents(
      tx,
      payouts.map(({ command, transfer }) => ({
        event: `transfer.${command.to}`,
        resourceType: transferResource,
        resourceId: transfer.id,
        resourceVersion: transfer.version,
        data: presentTransfer(transfer, command.environment),
      })),
    );
    await closeBatches(tx, payouts);
    for (const { command, transfer } of settled) {
      if (transfer.purpose === "disbursement") await tellLender(tx, command, transfer);
    }
    return settled.map(({ transfer }) => transfer);
  },
};

/** The loan and the money that was paid out for it move together or not at all. */
async function tellLender(tx: Tx, { disbursementSettled }: SettleCommand, transfer: Transfer): Promise<void> {
  if (disbursementSettled === undefined) throw new Error(`nobody takes the outcome of disbursement ${transfer.id}`);
  await disbursementSettled(tx, transfer);
}

/** A step that the transition table does not have is a bug of ours, whoever asked for it. */
function refuseImpossible(commands: readonly SettleCommand[]): void {
  for (const { id, from, to } of commands) {
    if (!canMove(from, to)) throw new Error(`transfer ${id} cannot go from ${from} to ${to}`);
  }
}

function settlementPosting(tx: Tx, transfer: Transfer, to: SettleCommand["to"]): Posting {
  return {
    id: tx.environment.clock.newId(),
    kind: transfer.purpose === "payout" ? `transfer.${to}` : `disbursement.${to}`,
    resource: { type: transferResource, id: transfer.id, reference: transfer.reference },
    narration: transfer.narration,
    legs: legsOf(tx.environment.id, transfer, to).filter((leg) => leg.amount !== 0n),
  };
}

function legsOf(environmentId: string, transfer: Transfer, to: SettleCommand["to"]): Leg[] {
  const total = totalDebit(transfer);
  const held = { accountId: heldAccountId(transfer.sourceAccountId), amount: negate(total) };
  const givenBack = { accountId: transfer.sourceAccountId, amount: total };
  const spent = spentLegs(environmentId, transfer);
  if (to === "completed") return [held, ...spent];
  if (to === "failed") return [held, givenBack];
  return [...spent.map((leg) => ({ ...leg, amount: negate(leg.amount) })), givenBack];
}

function spentLegs(environmentId: string, transfer: Transfer): Leg[] {
  const parts: readonly (readonly [SystemPurpose, Leg["amount"]])[] = [
    ["bank_settlement", transfer.amount],
    ["fee_income", transfer.fee],
    ["vat_payable", transfer.vat],
    ["stamp_duty_payable", transfer.stampDuty],
  ];
  return parts.map(([purpose, amount]) => ({ accountId: systemAccountId(environmentId, purpose), amount }));
}
