/** What a payout will cost and whom it will reach, said before anybody is asked to say yes. */
import { requireYes } from "../ask.ts";
import type { Given } from "../command.ts";
import { money } from "../words.ts";

export interface MeantPayout {
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly amount: string;
}

/** Returns the reference of the name enquiry that was shown, for the payout to be held to. */
export async function confirmPayout(
  given: Given,
  { bankCode, accountNumber, amount }: MeantPayout,
  { isAgreed }: { readonly isAgreed: boolean },
): Promise<string> {
  const { transfers } = given.connect().jara;
  const [name, fee] = await Promise.all([
    transfers.enquireName({ bankCode, accountNumber }),
    transfers.estimateFee({ amount }),
  ]);
  given.screen.remark(`${name.accountName}, ${name.bankName}`);
  const [amountText, feeText, total] = [fee.amount, fee.totalFee, fee.totalDebit].map((naira) => `NGN ${money(naira)}`);
  given.screen.remark(`${amountText}, and a fee of ${feeText}: ${total} in all`);
  if (!isAgreed) await requireYes(given, `Send ${amountText} to ${name.accountName}?`);
  return name.nameEnquiryReference;
}
