/** A payout step by step: bank, account, the holder's name, the fee, and only then the money. */
import { fillIn } from "../ask.ts";
import type { Given } from "../command.ts";
import { amountQuestion, bankQuestions } from "./bank-questions.ts";
import { confirmPayout } from "./confirm-payout.ts";
import { placeOrder } from "./place-order.ts";
import { type NewPayout, payoutOrder } from "./transfers.ts";

export async function pay(given: Given, wanted: NewPayout & { readonly yes?: boolean }): Promise<void> {
  const { transfers } = given.connect().jara;
  const { said } = await fillIn(given, wanted, [...bankQuestions(given.connect().jara), amountQuestion]);
  const { narration, reference } = wanted;
  const meant = { bankCode: said.bank, accountNumber: said.account, amount: said.amount };
  const nameEnquiryReference = await confirmPayout(given, meant, { isAgreed: wanted.yes === true });
  await placeOrder(given, {
    ...payoutOrder(given.screen, reference),
    send: (own) => transfers.create({ ...meant, narration, reference: own, nameEnquiryReference }),
    waitUntilFinal: (id) => transfers.waitUntilFinal(id, { signal: given.stopped }),
  });
}
