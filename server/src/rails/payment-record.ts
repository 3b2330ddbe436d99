/** A provider's record of a payment, held against our order. What does not agree with the order settles nothing. */
import type { Kobo } from "../money/kobo.ts";
import type { Hold, RailTrace, TakenBack, Unknown } from "./answer.ts";
import type { PaymentAnswer, QueryAnswer } from "./bank.ts";
import type { WireReply } from "./provider-client.ts";

export type PaymentEnding = "success" | "failure" | "taken_back";

export interface PaymentRecord {
  /** As people know it. */
  readonly provider: string;
  /** The provider's word for how far it has come. */
  readonly word: string;
  /** The words that end a payment. Every other word leaves it open. */
  readonly endings: ReadonlyMap<string, PaymentEnding>;
  /** What people read about a payment that did not succeed. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly facts: readonly Fact[];
  readonly trace: RailTrace;
  /** What an operator must do, when the word says that a one-time password is waited for. */
  readonly awaitsCode: string | undefined;
}

/** Something that must be as in our order. A fact that is missing is in doubt where the record would end the payment. */
export interface Fact {
  readonly name: string;
  readonly value: unknown;
  readonly agrees: boolean;
  /** Some replies do not have it. */
  readonly mayBeMissing?: true;
}

export function classifyRecord(record: PaymentRecord): PaymentAnswer | TakenBack {
  const { word, trace, reasons } = record;
  const ending = record.endings.get(word);
  const alarm = doubtAbout(record, ending !== undefined);
  if (alarm !== undefined) return { outcome: "unknown", code: word, alarm, trace };
  if (ending === undefined) return openPayment(record);
  if (ending === "success") return { outcome: "success", trace };
  const message = reasons[word] ?? "The payment failed";
  return { outcome: ending, code: `payment_${word.toLowerCase()}`, message, trace };
}

/** To an order that was just sent, "taken back" is a failure: it never was a success. */
export function asSent(answer: PaymentAnswer | TakenBack): PaymentAnswer {
  return answer.outcome === "taken_back" ? { ...answer, outcome: "failure" } : answer;
}

function openPayment({ word, trace, awaitsCode }: PaymentRecord): Unknown {
  const open: Unknown = { outcome: "unknown", code: word, trace };
  if (awaitsCode === undefined) return open;
  return { ...open, hold: { reason: "otp_required", message: awaitsCode }, alarm: awaitsCode };
}

function doubtAbout({ provider, facts }: PaymentRecord, endsIt: boolean): string | undefined {
  for (const { name, value, agrees, mayBeMissing } of facts) {
    const isMissing = value === undefined || value === null;
    if (!agrees && !isMissing) return `${provider}'s record of the payment has another ${name} than our order`;
    if (isMissing && endsIt && mayBeMissing !== true) return `${provider}'s record of the payment has no ${name}`;
  }
  return undefined;
}

/**
 * The reply to an order leaves out what the provider's record has: the fee, the session of the switch. It is read once
 * where the order succeeded at once; any other order is asked about anyway. A record that cannot be read costs nothing.
 */
export async function withWholeTrace(answer: PaymentAnswer, ask: () => Promise<QueryAnswer>): Promise<PaymentAnswer> {
  if (answer.outcome !== "success") return answer;
  const record = await ask();
  return record.outcome === "success" ? { ...answer, trace: { ...answer.trace, ...record.trace } } : answer;
}

export function traceFrom(
  providerReference: string | undefined,
  session: string | undefined,
  fee: Kobo | undefined,
): RailTrace {
  return {
    ...(providerReference === undefined ? {} : { providerReference }),
    ...(session === undefined || !/^\d{30}$/.test(session) ? {} : { networkSessionId: session }),
    ...(fee === undefined ? {} : { fee }),
  };
}

/** A reply that settles nothing, with the provider's code if there is one. */
export function unsettled(reply: WireReply, code: string | undefined, hold: Hold | undefined): Unknown {
  const word = reply.kind === "answer" ? code || `http_${reply.status}` : reply.kind;
  return { outcome: "unknown", code: word, ...(hold === undefined ? {} : { hold }) };
}
