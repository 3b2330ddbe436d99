/**
 * Why there is no plan, said to the customer. The server's own sentences are for the merchant's developers; they stand
 * in for a reason that this page does not know yet.
 */
import { formatNaira } from "../shared/naira.ts";
import type { CheckoutView } from "./checkout-view.ts";

type Wording = (view: CheckoutView) => string;

const wordings: Readonly<Record<string, Wording>> = {
  kyc_pending: () => "We are still checking your BVN. This page goes on by itself when that is done.",
  kyc_failed: ({ merchantName }) =>
    `Your BVN does not match your name. Go back to ${merchantName}, check both as your bank has them, and try again.`,
  underage: () => "You must be at least 18 years old to pay this way.",
  overdue_loan: () => "One of your earlier payments is late. Once it is paid you can use this again.",
  written_off_loan: () => "An earlier plan was not paid back. Write to support to settle it.",
  too_many_open_loans: () => "You are still paying for other orders. Finish one of them first.",
  exposure_reached: () => "Your other plans use up what you can borrow. Pay some of it back first.",
  amount_out_of_band: ({ amount, eligibility: { minAmount, maxAmount } }) => {
    const band = `between ${formatNaira(minAmount)} and ${formatNaira(maxAmount)}`;
    return `Your order costs ${formatNaira(amount)}. At the moment you can pay orders ${band} this way.`;
  },
};

export function reasonText(view: CheckoutView, { code, message }: { code: string; message: string }): string {
  return wordings[code]?.(view) ?? message;
}

/** Nothing speaks against a plan but that somebody is still being asked: waiting helps. */
export function isOnlyPending({ step, eligibility }: CheckoutView): boolean {
  return step === "not_eligible" && eligibility.reasons.every(({ code }) => code === "kyc_pending");
}
