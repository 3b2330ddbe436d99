/**
 * Accepting a bill, as a money command: claim its reference, move amount and fee from the paying wallet to what that
 * wallet holds, write the row. The worker sees the row as soon as it is committed.
 */
import { heldAccountId } from "../ledger/account.ts";
import type { CommandKind, Plan } from "../ledger/command.ts";
import type { Posting } from "../ledger/post.ts";
import type { Acceptance } from "../ledger/submit-once.ts";
import { negate } from "../money/arithmetic.ts";
import { takePositions } from "../platform/records/pagination.ts";
import { claimReferences, type ReferenceClaim, withdrawReferences } from "../platform/records/reference-claims.ts";
import { schedule } from "../platform/work/agenda.ts";
import { type Bill, type BillTerms, billList, billResource, totalHeld } from "./bill.ts";
import { insertBills } from "./bill-store.ts";
import { billProblem } from "./errors.ts";
import { chargeFor, type Rates } from "./rate.ts";

export interface AcceptBill {
  readonly reference: string;
  readonly sourceAccountId: string;
  readonly terms: BillTerms;
  readonly rates: Rates;
  /** When the validation that the bill stands on runs out, in the environment's time; null where none is needed. */
  readonly validUntil: Date | null;
}

export const sendTask = "bills.send";

export const acceptBill: CommandKind<AcceptBill, Acceptance<Bill>, Bill> = {
  name: "bills.accept",
  async plan(tx, commands) {
    const { clock } = tx.environment;
    const now = clock.now();
    const bills = commands.map((command) => pendingBill(clock.newId(), command, now));
    const holders = await claimReferences(tx, billList, bills.map(claimOf));
    const expired = commands.map(({ validUntil }) => validUntil !== null && validUntil <= now);
    await withdrawReferences(tx, billList, bills.filter((_, index) => expired[index]).map(claimOf));
    return bills.map((bill, index): Plan<Acceptance<Bill>, Bill> => {
      const takenBy = holders[index] ?? null;
      if (takenBy !== null) return { next: "answer", output: { takenBy } };
      if (expired[index]) return { next: "refuse", problem: billProblem("validation_required") };
      return { next: "post", posting: holdPosting(bill), record: bill };
    });
  },
  withdraw: (tx, bills) => withdrawReferences(tx, billList, bills.map(claimOf)),
  async write(tx, bills) {
    // A stopped clock plays its work by the agenda, in order; otherwise the row itself is the worker's queue.
    const frozen = tx.environment.clock.mode === "frozen";
    if (frozen) {
      await schedule(
        tx,
        bills.map((bill) => ({ kind: sendTask, subject: bill.id })),
      );
    }
    const firstPosition = await takePositions(tx, billList, bills.length);
    await insertBills(tx, { bills, firstPosition, claimable: !frozen });
    return bills.map((accepted) => ({ accepted, frozen }));
  },
};

function pendingBill(id: string, { reference, sourceAccountId, terms, rates }: AcceptBill, now: Date): Bill {
  return {
    id,
    reference,
    sourceAccountId,
    ...terms,
    ...chargeFor(rates, terms.category, terms.amount, now),
    status: "pending",
    version: 1,
    token: null,
    units: null,
    receiptNumber: null,
    failureReason: null,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  };
}

function claimOf({ id, reference }: Bill): ReferenceClaim {
  return { recordId: id, references: [reference] };
}

function holdPosting(bill: Bill): Posting {
  const amount = totalHeld(bill);
  const wallet = bill.sourceAccountId;
  return {
    id: bill.id,
    kind: "bill.held",
    resource: { type: billResource, id: bill.id, reference: bill.reference },
    narration: bill.product.name,
    legs: [
      { accountId: wallet, amount: negate(amount) },
      { accountId: heldAccountId(wallet), amount },
    ],
  };
}
