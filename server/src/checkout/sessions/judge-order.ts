import { type Kobo, nairaString } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database.ts";
import { readEligibility } from "../credit/read-eligibility.ts";
import type { Customer } from "../customers/customer.ts";
import type { CheckoutSession } from "./checkout-session.ts";

export interface Judgement {
  readonly eligible: boolean;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  readonly minAmount: Kobo;
  readonly maxAmount: Kobo;
  /** Months. */
  readonly tenors: readonly number[];
}

/** Whether this order can be bought on credit. Once it has a loan the question is answered. */
export async function judgeOrder(tx: Tx, customer: Customer, session: CheckoutSession): Promise<Judgement> {
  const { amount, loanId } = session;
  const decision = await readEligibility(tx, customer, loanId === null ? {} : { except: loanId });
  const { eligible, reasons, minAmount, maxAmount } = decision;
  const judged = { eligible, reasons, minAmount, maxAmount, tenors: decision.tenors.map(({ tenor }) => tenor) };
  if (loanId !== null) return { ...judged, eligible: true, reasons: [] };
  if (!eligible || (amount >= minAmount && amount <= maxAmount)) return judged;
  const band = `from ${nairaString(minAmount)} to ${nairaString(maxAmount)} NGN`;
  const message = `The order costs ${nairaString(amount)} NGN; orders ${band} can be paid this way.`;
  return { ...judged, eligible: false, reasons: [{ code: "amount_out_of_band", message }] };
}
