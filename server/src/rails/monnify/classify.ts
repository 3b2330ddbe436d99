/**
 * What Monnify's replies about disbursements mean. Pure and total: whatever arrives is one of our answers. A payment is
 * a success only when Monnify says so about our reference and our amount, in naira.
 */
import type { Kobo } from "../../money/kobo.ts";
import { accountNameOf } from "../account-name.ts";
import type { TakenBack } from "../answer.ts";
import type { AccountAnswer, PaymentAnswer, QueryAnswer } from "../bank.ts";
import { asSent, classifyRecord, type PaymentEnding, traceFrom } from "../payment-record.ts";
import type { WireReply } from "../provider-client.ts";
import { nairaOf, textOf, type WireRecord } from "../wire-json.ts";
import type { BankAccount } from "./client.ts";
import { bodyIn, holdIn, type Refusal, refusalIn, unknownFrom } from "./reply.ts";

/** Our side of a disbursement. */
export interface Expected {
  readonly sessionId: string;
  readonly amount: Kobo;
}

/** The words that end a disbursement. Every other word leaves it open. */
export const disbursementEndings: ReadonlyMap<string, PaymentEnding> = new Map([
  ["SUCCESS", "success"],
  ["COMPLETED", "success"],
  ["FAILED", "failure"],
  ["EXPIRED", "failure"],
  ["REVERSED", "taken_back"],
]);

const reasons: Readonly<Record<string, string>> = {
  FAILED: "The payment failed at the bank",
  EXPIRED: "The payment was not confirmed in time and was given up",
  REVERSED: "The payment was returned by the bank",
};

export function classifySend(reply: WireReply, expected: Expected): PaymentAnswer {
  const body = bodyIn(reply);
  if (body !== undefined) return asSent(classifyDisbursement(body, expected));
  const refusal = refusalIn(reply);
  if (refusal === undefined || holdIn(reply) !== undefined || !refusesOrder(refusal)) return unknownFrom(reply);
  return { outcome: "failure", code: "payment_refused", message: "The payment was refused before it was made" };
}

export function classifyQuery(reply: WireReply, expected: Expected): QueryAnswer {
  const body = bodyIn(reply);
  if (body !== undefined) return classifyDisbursement(body, expected);
  const { status, words = "" } = refusalIn(reply) ?? {};
  const isUnheardOf = status === 404 && /^(transfer|transaction|disbursement)\b.*\bnot found\b/i.test(words);
  return isUnheardOf ? { outcome: "no_record" } : unknownFrom(reply);
}

/**
 * Whether nothing was made and nothing will be. D07 (the same account and amount within two minutes) means that nothing
 * was made *now*: it stays unknown, a question finds no record, and it is sent again after the settle window.
 */
function refusesOrder({ status, code, words }: Refusal): boolean {
  const isDuplicate = code === "D07" || /duplicate|already|exists?\b|unique/i.test(words);
  const isPassing = /try again|retry|later|temporar|time.?out|unavailable/i.test(words);
  if (isDuplicate || isPassing || ![200, 400, 422].includes(status)) return false;
  const isAboutAccount = /\b(destination|beneficiary|account|bank)\b/i.test(words) && /invalid|not found/i.test(words);
  const isAboutAmount = /\bamount\b/i.test(words) && /invalid|minimum|maximum|at least|less than|greater/i.test(words);
  const isAboutUs = /\bsource\b|\bwallet\b/i.test(words);
  return (isAboutAccount || isAboutAmount) && !isAboutUs;
}

const awaitsCode: ReadonlySet<string> = new Set(["PENDING_AUTHORIZATION", "OTP_EMAIL_DISPATCH_FAILED"]);
const switchOff = "Monnify asks for a one-time password: have it switched off for API disbursements";

function classifyDisbursement(body: WireRecord, expected: Expected): PaymentAnswer | TakenBack {
  const word = textOf(body.status) ?? "";
  return classifyRecord({
    provider: "Monnify",
    word,
    endings: disbursementEndings,
    reasons,
    facts: [
      { name: "reference", value: body.reference, agrees: body.reference === expected.sessionId },
      { name: "amount", value: body.amount, agrees: nairaOf(body.amount) === expected.amount },
      // The reply to an order has none.
      { name: "currency", value: body.currency, agrees: body.currency === "NGN", mayBeMissing: true },
    ],
    trace: traceFrom(textOf(body.transactionReference), textOf(body.sessionId), nairaOf(body.fee ?? body.totalFee)),
    awaitsCode: awaitsCode.has(word) ? switchOff : undefined,
  });
}

export function classifyAccount(reply: WireReply, { accountNumber }: BankAccount): AccountAnswer {
  const body = bodyIn(reply);
  if (body !== undefined) {
    const accountName = accountNameOf(body.accountName);
    const isOurs = body.accountNumber === accountNumber;
    return accountName !== undefined && isOurs ? { found: "yes", accountName } : { found: "unavailable" };
  }
  const hold = holdIn(reply);
  if (hold !== undefined) return { found: "unavailable", hold };
  const refusal = refusalIn(reply);
  return { found: refusal !== undefined && findsNobody(refusal) ? "no" : "unavailable" };
}

function findsNobody({ status, words }: Refusal): boolean {
  if (![400, 404, 422].includes(status) || /\bbank\b|try again|later|temporar|unavailable/i.test(words)) return false;
  return /\baccount\b/i.test(words) && /invalid|not found|not exist|could not be (resolved|validated)/i.test(words);
}
