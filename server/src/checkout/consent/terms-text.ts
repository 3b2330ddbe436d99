/**
 * What a customer reads before agreeing, besides the figures. These sentences are part of the terms that are hashed and
 * kept with the consent: a change of one also changes the version.
 */
import { type LoanProduct, ratePercent } from "../../lending/pricing/product.ts";
import { type Kobo, nairaString } from "../../money/kobo.ts";
import type { Lender } from "../loans/lender.ts";

export const textVersion = "2026-11";

/** NGN 64,500.00: for people, with its thousands apart. */
function inWords(amount: Kobo): string {
  const [whole = "", decimals] = nairaString(amount).split(".");
  return `NGN ${whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")}.${decimals}`;
}

export function lateFeeText({ lateFee, graceDays }: LoanProduct): string {
  const days = graceDays === 1 ? "1 day" : `${graceDays} days`;
  const fee = `${ratePercent(lateFee.rate)}% of that payment, at least ${inWords(lateFee.minimum)}`;
  return `A payment that is still open ${days} after its due date costs a late fee of ${fee}, once for each payment.`;
}

export function conditionsText(merchant: string): string[] {
  return [
    `Due dates count from the day on which ${merchant} is paid.`,
    "Each payment is taken from your card on its due date, at 6 in the morning.",
    "You may pay early, in part or in full. The interest was agreed for the whole plan, so paying early does not lower it.",
    "The lender does not read your contacts, photos or messages, and never will.",
    "You can say no and pay in another way. Nothing is borrowed until you type the code.",
  ];
}

export function complaintsText({ name, email, phone, regulator }: Lender): string {
  const first = `If something is wrong, write to ${name} at ${email} or call ${phone}.`;
  return `${first} If that does not help, complain to the ${regulator}.`;
}

/** What the customer ticks. */
export function statementText(
  { name, registration }: Lender,
  terms: { readonly merchant: string; readonly amount: Kobo; readonly totalRepayment: Kobo },
): string {
  const { merchant, amount, totalRepayment } = terms;
  return (
    `I borrow ${inWords(amount)} from ${name} (${registration}) to pay ${merchant}, and repay ` +
    `${inWords(totalRepayment)} by card on the dates shown. I have read the fees, the late fee and the conditions.`
  );
}
