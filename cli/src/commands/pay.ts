/** A payout step by step: bank, account, the holder's name, the fee, and only then the money. */
import { fillIn } from "../ask.ts";
import type { Given } from "../command.ts";
import { amountQuestion, bankQuestions } from "./bank-questions.ts";
import { confirmPayout } from "./confirm-payout.ts";
import { newReference } from "./read-list.ts";
import { type NewPayout, showTransfer } from "./transfers.ts";

export async function pay(given: Given, wanted: NewPayout & { readonly yes?: boolean }): Promise<void> {
  const { jara } = given.connect();
  const { said } = await fillIn(given, wanted, [...bankQuestions(jara), amountQuestion]);
  const { narration, reference = newReference("payout") } = wanted;
  const meant = { bankCode: said.bank, accountNumber: said.account, amount: said.amount };
  const nameEnquiryReference = await confirmPayout(given, meant, { isAgreed: wanted.yes === true });
  const sent = await jara.transfers.create({ ...meant, narration, reference, nameEnquiryReference });
  showTransfer(given.screen, await jara.transfers.waitUntilFinal(sent.id, { signal: given.stopped }));
}
