/** Accepting a bill: amount and fee are held on the paying wallet. */
import { acceptPayments, legsOfHold } from "../../ledger/held-payment.ts";
import type { Posting } from "../../ledger/post.ts";
import type { Starting } from "../../platform/work/rounds.ts";
import { pendingOrder } from "../../rails/order-records.ts";
import { chargeFor, type Rates } from "../rate/rate.ts";
import { type Bill, type BillTerms, billList, billResource, totalHeld } from "./bill.ts";
import { insertBills } from "./bill-store.ts";
import { billProblem } from "./errors.ts";

export interface AcceptBill {
  readonly reference: string;
  readonly sourceAccountId: string;
  readonly terms: BillTerms;
  readonly rates: Rates;
  /** When the validation that the bill stands on runs out, in the environment's time; null where none is needed. */
  readonly validUntil: Date | null;
  /** Null where a provider has to be chosen before anything starts. */
  readonly starting: Starting<Bill> | null;
}

export const sendTask = "bills.send";

export const acceptBill = acceptPayments<AcceptBill, Bill>({
  name: "bills.accept",
  list: billList,
  sendTask,
  draft: pendingBill,
  claim: ({ id, reference }) => ({ recordId: id, references: [reference] }),
  validity: { until: ({ validUntil }) => validUntil, expired: () => billProblem("validation_required") },
  hold: holdPosting,
  starting: ({ starting }) => starting,
  insert: insertBills,
});

function pendingBill(id: string, { reference, sourceAccountId, terms, rates }: AcceptBill, now: Date): Bill {
  return {
    ...pendingOrder(id, now),
    reference,
    sourceAccountId,
    ...terms,
    ...chargeFor(rates, terms.category, terms.amount, now),
    token: null,
    units: null,
    receiptNumber: null,
    requestId: null,
  };
}

function holdPosting(bill: Bill): Posting {
  return {
    id: bill.id,
    kind: "bill.held",
    resource: { type: billResource, id: bill.id, reference: bill.reference },
    narration: bill.product.name,
    legs: legsOfHold({ walletId: bill.sourceAccountId, total: totalHeld(bill), spent: [] }, "held"),
  };
}
