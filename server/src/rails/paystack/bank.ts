/** Payouts by Paystack transfers. The session id is the transfer's reference, which Paystack takes once. */
import type {
  AccountAnswer,
  AccountQuestion,
  BankRail,
  PaymentAnswer,
  PaymentOrder,
  PaymentQuestion,
  QueryAnswer,
} from "../bank.ts";
import { withWholeTrace } from "../payment-record.ts";
import type { ConnectionMode } from "../provider.ts";
import { codeOfBank, type ProviderBanks } from "../provider-banks.ts";
import { classifyAccount, classifyQuery, classifyRecipient, classifySend } from "./classify.ts";
import { createRecipient, createTransfer, type PaystackClient, resolveAccount, verifyTransfer } from "./client.ts";

export interface PaystackBankParts {
  readonly client: PaystackClient;
  readonly banks: ProviderBanks;
  readonly mode: ConnectionMode;
}

export function paystackBank(parts: PaystackBankParts): BankRail {
  return {
    name: "paystack",
    deduplicatesBySession: true,
    settleWindowMs: 10 * 60_000,
    // Session ids begin with it. It is no code of the switch: Paystack sends under its own.
    senderCode: "999201",
    resolveAccount: (question) => findHolder(parts, question),
    send: (order) => send(parts, order),
    query: (question) => query(parts, question),
  };
}

/** Paystack has the same words for a wrong number and for a bank that is down, so "no" is asked for twice. */
async function findHolder({ client, banks }: PaystackBankParts, question: AccountQuestion): Promise<AccountAnswer> {
  const bank = await codeOfBank(banks, question.nipCode);
  if (bank.code === null) return { found: "unavailable", ...bank.held };
  const account = { bankCode: bank.code, accountNumber: question.accountNumber };
  const ask = async () => classifyAccount(await resolveAccount(client, account), account);
  const first = await ask();
  return first.found === "no" ? ask() : first;
}

async function send(parts: PaystackBankParts, order: PaymentOrder): Promise<PaymentAnswer> {
  const { client, banks, mode } = parts;
  const { sessionId, amount, accountNumber, accountName: name, narration } = order;
  const bank = await codeOfBank(banks, order.nipCode);
  if (bank.code === null) return bank.unsent;
  const account = { bankCode: bank.code, accountNumber };
  const recipient = classifyRecipient(await createRecipient(client, { ...account, name }), account);
  if (recipient.outcome !== "recipient") return recipient;
  const command = { recipient: recipient.code, reference: sessionId, amount, reason: narration.slice(0, 100) };
  const answer = classifySend(await createTransfer(client, command), { sessionId, amount, mode });
  return withWholeTrace(answer, () => query(parts, order));
}

async function query({ client, mode }: PaystackBankParts, question: PaymentQuestion): Promise<QueryAnswer> {
  const { sessionId, amount } = question;
  return classifyQuery(await verifyTransfer(client, sessionId), { sessionId, amount, mode });
}
