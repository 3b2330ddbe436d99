/**
 * What Paystack's replies about transfers mean. Pure and total: whatever arrives is one of our answers. A payment is a
 * success only when Paystack says so about our reference, our amount, in naira and in the mode of the connection.
 */
import type { Kobo } from "../../money/kobo.ts";
import { accountNameOf } from "../account-name.ts";
import type { Failure, TakenBack, Unknown } from "../answer.ts";
import type { AccountAnswer, PaymentAnswer, QueryAnswer } from "../bank.ts";
import { asSent, classifyRecord, type PaymentEnding, traceFrom } from "../payment-record.ts";
import type { ConnectionMode } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { koboOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import type { BankAccount } from "./client.ts";
import { dataIn, holdIn, type Refusal, refusalIn, unknownFrom } from "./refusal.ts";

/** Our side of a transfer. */
export interface Expected {
  readonly sessionId: string;
  readonly amount: Kobo;
  readonly mode: ConnectionMode;
}

/** The words that end a transfer. Every other word leaves it open. */
export const transferEndings: ReadonlyMap<string, PaymentEnding> = new Map([
  ["success", "success"],
  ["failed", "failure"],
  ["abandoned", "failure"],
  ["blocked", "failure"],
  ["rejected", "failure"],
  ["reversed", "taken_back"],
]);

const reasons: Readonly<Record<string, string>> = {
  failed: "The payment failed at the bank",
  abandoned: "The payment was not confirmed in time and was given up",
  blocked: "The payment was not approved in time",
  rejected: "The payment was not approved",
  reversed: "The payment was returned by the bank",
};

export function classifySend(reply: WireReply, expected: Expected): PaymentAnswer {
  const data = dataIn(reply);
  if (data !== undefined) return asSent(classifyTransfer(data, expected));
  const refusal = refusalIn(reply);
  if (refusal === undefined || holdIn(reply) !== undefined || !refusesOrder(refusal)) return unknownFrom(reply);
  return { outcome: "failure", code: "payment_refused", message: "The payment was refused before it was made" };
}

export function classifyQuery(reply: WireReply, expected: Expected): QueryAnswer {
  const data = dataIn(reply);
  if (data !== undefined) return classifyTransfer(data, expected);
  const refusal = refusalIn(reply);
  const isUnheardOf = refusal?.status === 404 && /^transfer not found\b/i.test(refusal.words);
  return isUnheardOf ? { outcome: "no_record" } : unknownFrom(reply);
}

/** Whether nothing was made and nothing will be. A used reference means that the transfer exists. */
function refusesOrder({ status, code, type, words }: Refusal): boolean {
  const isDuplicate = /duplicate/i.test(code) || (/reference/i.test(words) && /exist|unique|duplicate/i.test(words));
  const isPassing = /api_error|processor_error/.test(type) || /try again|retr(y|ied)|later|temporar/i.test(words);
  if (isDuplicate || isPassing) return false;
  // Without a type and a code only the words that were seen with them count.
  const isAboutOrder = type === "validation_error" || refusedWords.test(words);
  return (status === 400 && isAboutOrder) || status === 200 || status === 201;
}

const refusedWords =
  /recipient specified is invalid|watch ?list|reference.*(illegal|invalid) character|illegal character/i;

function classifyTransfer(data: WireRecord, expected: Expected): PaymentAnswer | TakenBack {
  const word = textOf(data.status) ?? "";
  const providerReference = textOf(data.transfer_code) ?? textOf(data.id);
  const session = textOf(recordAt(data, "session").id);
  return classifyRecord({
    provider: "Paystack",
    word,
    endings: transferEndings,
    reasons,
    facts: [
      { name: "reference", value: data.reference, agrees: data.reference === expected.sessionId },
      { name: "amount", value: data.amount, agrees: koboOf(data.amount) === expected.amount },
      { name: "currency", value: data.currency, agrees: data.currency === "NGN" },
      { name: "mode", value: data.domain, agrees: data.domain === expected.mode },
    ],
    trace: traceFrom(providerReference, session, koboOf(data.fee_charged)),
    awaitsCode: word === "otp" ? switchOff : undefined,
  });
}

const switchOff = "Paystack asks for a one-time password: switch it off for transfers in its dashboard";

export type RecipientAnswer = { readonly outcome: "recipient"; readonly code: string } | Failure | Unknown;

export function classifyRecipient(reply: WireReply, account: BankAccount): RecipientAnswer {
  const data = dataIn(reply);
  if (data !== undefined) return recipientIn(data, account) ?? unknownFrom(reply);
  const refusal = refusalIn(reply);
  if (refusal === undefined || holdIn(reply) !== undefined || !refusesAccount(refusal)) return unknownFrom(reply);
  return { outcome: "failure", code: "account_refused", message: "The bank account was refused" };
}

function recipientIn(data: WireRecord, { accountNumber, bankCode }: BankAccount): RecipientAnswer | undefined {
  const code = textOf(data.recipient_code);
  const details = recordAt(data, "details");
  if (code === undefined) return undefined;
  if (details.account_number === accountNumber && details.bank_code === bankCode) return { outcome: "recipient", code };
  const alarm = "Paystack's recipient is not the account that we asked for";
  return { outcome: "unknown", code: "other_recipient", alarm };
}

function refusesAccount({ status, type, words }: Refusal): boolean {
  if (status !== 400 || /api_error|processor_error/.test(type) || /try again|later|temporar/i.test(words)) return false;
  return /\b(account|bank)\b/i.test(words) && /invalid|cannot be resolved|cannot resolve|could not/i.test(words);
}

export function classifyAccount(reply: WireReply, { accountNumber }: BankAccount): AccountAnswer {
  const data = dataIn(reply);
  if (data !== undefined) {
    const accountName = accountNameOf(data.account_name);
    const isOurs = data.account_number === accountNumber;
    return accountName !== undefined && isOurs ? { found: "yes", accountName } : { found: "unavailable" };
  }
  const refusal = refusalIn(reply);
  if (refusal?.status === 422 && /^could not resolve account name/i.test(refusal.words)) return { found: "no" };
  const hold = holdIn(reply);
  return { found: "unavailable", ...(hold === undefined ? {} : { hold }) };
}
