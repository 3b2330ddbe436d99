/**
 * Why there is no plan, said to the customer. The server's own sentences are for the merchant's developers; they stand
 * in for a reason that this page does not know yet.
 */
import { entryOf } from "../shared/entry-of.ts";
import { formatNaira } from "../shared/naira.ts";
import type { CheckoutView } from "./checkout-view.ts";

type Wording = (view: CheckoutView) => string;

const wordings: Readonly<Record<string, Wording>> = {
  kyc_pending: () => "We are still checking your BVN. This page goes on by itself when that is done.",
  not_eligible: ({ merchantName }) =>
    `This order cannot be paid month by month. Go back to ${merchantName} and pay another way; they can tell you why.`,
  amount_out_of_band: ({ amount, eligibility: { minAmount, maxAmount } }) => {
    const band = `between ${formatNaira(minAmount)} and ${formatNaira(maxAmount)}`;
    return `Your order costs ${formatNaira(amount)}. Orders ${band} can be paid this way.`;
  },
};

export function reasonText(view: CheckoutView, { code, message }: { code: string; message: string }): string {
  return entryOf(wordings, code)?.(view) ?? message;
}

/** Nothing speaks against a plan but that somebody is still being asked: waiting helps. */
export function isOnlyPending({ step, eligibility }: CheckoutView): boolean {
  return step === "not_eligible" && eligibility.reasons.every(({ code }) => code === "kyc_pending");
}
