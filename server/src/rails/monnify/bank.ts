/** Payouts by Monnify's single disbursements. The session id is the disbursement's reference, which is taken once. */
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
import { codeOfBank, type ProviderBanks } from "../provider-banks.ts";
import { classifyAccount, classifyQuery, classifySend } from "./classify.ts";
import { disburse, type MonnifyClient, readSummary, validateAccount } from "./client.ts";

interface Parts {
  readonly client: MonnifyClient;
  readonly banks: ProviderBanks;
}

export function monnifyBank(parts: Parts): BankRail {
  return {
    name: "monnify",
    deduplicatesBySession: true,
    settleWindowMs: 10 * 60_000,
    // Session ids begin with it. It is no code of the switch: Monnify sends under its own.
    senderCode: "999202",
    resolveAccount: (question) => findHolder(parts, question),
    send: (order) => send(parts, order),
    query: (question) => query(parts, question),
  };
}

/** The words for a wrong number are not documented, so "no" is asked for twice. */
async function findHolder({ client, banks }: Parts, question: AccountQuestion): Promise<AccountAnswer> {
  const bank = await codeOfBank(banks, question.nipCode);
  if (bank.code === null) return { found: "unavailable", ...bank.held };
  const account = { bankCode: bank.code, accountNumber: question.accountNumber };
  const ask = async () => classifyAccount(await validateAccount(client, account), account);
  const first = await ask();
  return first.found === "no" ? ask() : first;
}

async function send({ client, banks }: Parts, order: PaymentOrder): Promise<PaymentAnswer> {
  const bank = await codeOfBank(banks, order.nipCode);
  if (bank.code === null) return bank.unsent;
  const { sessionId, accountNumber, accountName, amount } = order;
  // Monnify wants at least three characters.
  const narration = order.narration.trim().length < 3 ? "Payment" : order.narration.trim().slice(0, 100);
  const command = { bankCode: bank.code, accountNumber, accountName, amount, reference: sessionId, narration };
  return withWholeTrace(classifySend(await disburse(client, command), order), () => query({ client }, order));
}

async function query({ client }: Pick<Parts, "client">, question: PaymentQuestion): Promise<QueryAnswer> {
  return classifyQuery(await readSummary(client, question.sessionId), question);
}
