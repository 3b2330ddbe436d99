/** A payout step by step: bank, account, the holder's name, the fee, and only then the money. */
import { fillIn, requireYes } from "../ask.ts";
import type { Given } from "../command.ts";
import { money } from "../words.ts";
import { amountQuestion, bankQuestions } from "./bank-questions.ts";
import { newReference } from "./read-list.ts";
import { type NewPayout, showTransfer } from "./transfers.ts";

export async function pay(given: Given, wanted: NewPayout & { readonly yes?: boolean }): Promise<void> {
  const { jara } = given.connect();
  const { said } = await fillIn(given, wanted, [...bankQuestions(jara), amountQuestion]);
  const { bank: bankCode, account: accountNumber, amount } = said;
  const { narration, reference = newReference("payout") } = wanted;
  const [name, fee] = await Promise.all([
    jara.transfers.enquireName({ bankCode, accountNumber }),
    jara.transfers.estimateFee({ amount }),
  ]);
  given.screen.remark(`${name.accountName}, ${name.bankName}`);
  given.screen.remark(`NGN ${money(fee.amount)} and NGN ${money(fee.totalFee)} for it: NGN ${money(fee.totalDebit)}`);
  if (wanted.yes !== true) await requireYes(given, `Pay NGN ${money(fee.totalDebit)} for ${name.accountName}?`);
  const { nameEnquiryReference } = name;
  const payout = { bankCode, accountNumber, amount, narration, reference, nameEnquiryReference };
  const sent = await jara.transfers.create(payout);
  showTransfer(given.screen, await jara.transfers.waitUntilFinal(sent.id, { signal: given.stopped }));
}
