/**
 * Whether an order can be bought on credit, as far as a page may say it. Before the code is right nobody knows who sits
 * in front of the page: what speaks against a loan (what is owed, what may be borrowed, what was not repaid) is for the
 * merchant, who finds it in the eligibility. The page hears only what would be the same for everybody.
 */
import { type Kobo, nairaString } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { Problem } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { Customer } from "../customers/customer.ts";
import { checkoutLoanProblem } from "../loans/errors.ts";
import { readEligibility } from "../loans/read-eligibility.ts";
import type { CheckoutSession } from "./checkout-session.ts";

export interface Judgement {
  readonly eligible: boolean;
  readonly reasons: readonly PageReason[];
  /** What anybody at all may buy this way. */
  readonly minAmount: Kobo;
  readonly maxAmount: Kobo;
  /** Months. */
  readonly tenors: readonly number[];
}

interface PageReason {
  readonly code: string;
  readonly message: string;
}

const notEligible: PageReason = {
  code: "not_eligible",
  message: "This order cannot be paid month by month. Choose another way to pay; the shop can find out why.",
};

/** Once the order has a loan the question is answered. */
export async function judgeOrder(
  tx: Tx,
  sealer: Sealer,
  customer: Customer,
  session: CheckoutSession,
): Promise<Judgement> {
  const { amount, loanId } = session;
  const decision = await readEligibility(tx, sealer, customer, loanId === null ? {} : { except: loanId });
  const { minAmount, highestAmount } = decision;
  const judged = { minAmount, maxAmount: highestAmount, tenors: decision.tenors.map(({ tenor }) => tenor) };
  if (loanId !== null) return { ...judged, eligible: true, reasons: [] };
  if (amount < minAmount || amount > highestAmount) {
    const band = `from ${nairaString(minAmount)} to ${nairaString(highestAmount)} NGN`;
    const message = `The order costs ${nairaString(amount)} NGN; orders ${band} can be paid this way.`;
    return { ...judged, eligible: false, reasons: [{ code: "amount_out_of_band", message }] };
  }
  if (decision.eligible && amount <= decision.maxAmount) return { ...judged, eligible: true, reasons: [] };
  // A register that is away keeps everybody waiting, known or not.
  const isWaiting = decision.reasons.length > 0 && decision.reasons.every(({ code }) => code === "kyc_pending");
  return { ...judged, eligible: false, reasons: isWaiting ? decision.reasons : [notEligible] };
}

/** The same for what a page asks for and is refused. */
export async function withoutReasons<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isPersonal = error instanceof Problem && ["not_eligible", "amount_out_of_band"].includes(error.code);
    throw isPersonal ? checkoutLoanProblem("not_eligible", { data: { reasons: [notEligible] } }) : error;
  }
}
