/**
 * What Paystack's replies about charges of cards mean. Pure and total: whatever arrives is one of our answers. A charge
 * is a success only when Paystack says so about our reference, our amount, in naira and in the mode of the connection.
 */
import type { Kobo } from "../../money/kobo.ts";
import type { RailTrace, TakenBack, Unknown } from "../answer.ts";
import type { CardChargeAnswer, CardLinkStartAnswer, CardQueryAnswer, CardRefusal, NeedsHolder } from "../card.ts";
import type { ConnectionMode } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { wordsAt } from "../provider-words.ts";
import { isSafeAddress } from "../safe-address.ts";
import { koboOf, textOf, type WireRecord } from "../wire-json.ts";
import { dataIn, holdIn, type Refusal, refusalIn, unknownFrom } from "./refusal.ts";

/** Our side of a transaction. */
export interface ExpectedTransaction {
  readonly reference: string;
  readonly amount: Kobo;
  readonly mode: ConnectionMode;
}

export function classifyStart(
  reply: WireReply,
  { reference }: Pick<ExpectedTransaction, "reference">,
): CardLinkStartAnswer {
  const data = dataIn(reply);
  const redirectUrl = pageIn(data);
  if (redirectUrl !== undefined && data?.reference === reference) return { outcome: "started", redirectUrl };
  const refusal = refusalIn(reply);
  if (refusal === undefined || holdIn(reply) !== undefined || !refusesPage(refusal)) return unknownFrom(reply);
  const message = "The card processor did not take your e-mail address. Give the shop another one.";
  return { outcome: "declined", code: "holder_refused", message };
}

function refusesPage({ status, words }: Refusal): boolean {
  return status === 400 && /e-?mail/i.test(words) && /invalid|valid|required/i.test(words);
}

/** A page of theirs that a browser can be sent to. */
function pageIn(data: WireRecord | undefined): string | undefined {
  const url = textOf(data?.authorization_url);
  return url !== undefined && URL.canParse(url) && isSafeAddress(new URL(url)) ? url : undefined;
}

export function classifyCharge(reply: WireReply, expected: ExpectedTransaction): CardChargeAnswer {
  const data = dataIn(reply);
  if (data !== undefined) {
    if (data.paused === true) return pausedCharge(data, expected);
    const answer = classifyTransaction(data, expected, undefined);
    // A charge that was just made cannot have been taken back: the next question tells.
    return answer.outcome === "taken_back" ? { outcome: "unknown", code: "reversed" } : answer;
  }
  const refusal = refusalIn(reply);
  if (refusal === undefined || holdIn(reply) !== undefined || !refusesCard(refusal)) return unknownFrom(reply);
  const message = "This card cannot be charged any more. Link it again.";
  return { outcome: "declined", code: "card_refused", message };
}

/** The issuer asks the holder first. There is no status then, and nothing was taken. */
function pausedCharge(data: WireRecord, { reference }: ExpectedTransaction): NeedsHolder | Unknown {
  const url = pageIn(data);
  const isOurs = data.reference === undefined || data.reference === reference;
  if (url !== undefined && isOurs && data.status === undefined) return { outcome: "needs_holder", url };
  const alarm = "Paystack paused a charge and did not say where its holder confirms it";
  return { outcome: "unknown", code: "paused", alarm };
}

/** Whether nothing was charged because the card itself is not taken. A used reference means that the charge exists. */
function refusesCard({ status, words }: Refusal): boolean {
  if (status !== 400 && status !== 404) return false;
  const isAboutCard = /authori[sz]ation/i.test(words);
  return (
    isAboutCard && /invalid|not found|does ?n.t match|does not (match|exist)|deactivated|not reusable/i.test(words)
  );
}

export function classifyCardQuery(reply: WireReply, expected: ExpectedTransaction): CardQueryAnswer {
  const data = dataIn(reply);
  if (data !== undefined) return classifyTransaction(data, expected, ageOf(reply, data));
  return isUnheardOf(reply) ? { outcome: "no_record" } : unknownFrom(reply);
}

/** Some report 400, some 404; only Paystack's own words count. */
export function isUnheardOf(reply: WireReply): boolean {
  const refusal = refusalIn(reply);
  if (refusal === undefined || (refusal.status !== 400 && refusal.status !== 404)) return false;
  return refusal.code === "transaction_not_found" || /^transaction reference not found\b/i.test(refusal.words);
}

/** How long ago the transaction was made, by Paystack's own clock. */
export function ageOf(reply: WireReply, data: WireRecord): number | undefined {
  if (reply.kind !== "answer") return undefined;
  const made = Date.parse(textOf(data.created_at) ?? textOf(data.createdAt) ?? "");
  const now = Date.parse(String(reply.headers.date ?? ""));
  return Number.isNaN(made) || Number.isNaN(now) ? undefined : now - made;
}

/** How long a page can be used at the most. It is not known, so this is longer than anybody says. */
const pageLifeMs = 24 * 60 * 60_000;

export function isOver(ageMs: number | undefined): boolean {
  return ageMs !== undefined && ageMs >= pageLifeMs;
}

function classifyTransaction(
  data: WireRecord,
  expected: ExpectedTransaction,
  ageMs: number | undefined,
): { readonly outcome: "success"; readonly trace: RailTrace } | CardRefusal | TakenBack | Unknown {
  const word = textOf(data.status) ?? "";
  const trace = traceOf(data);
  const ends = word === "success" || word === "failed" || word === "reversed" || word === "abandoned";
  const doubt = doubtAbout(data, expected, ends);
  if (doubt !== undefined) return { outcome: "unknown", code: word, alarm: doubt, trace };
  if (word === "success") return { outcome: "success", trace };
  if (word === "failed") return declinedCharge(data);
  if (word === "reversed") {
    return { outcome: "taken_back", code: "charge_reversed", message: "The bank has taken this payment back.", trace };
  }
  if (word !== "abandoned" || !isOver(ageMs)) return { outcome: "unknown", code: word, trace };
  return {
    outcome: "declined",
    code: "holder_absent",
    message: "The payment was not confirmed with the bank in time.",
  };
}

export function declinedCharge(data: WireRecord): CardRefusal {
  const words = wordsAt(data, "gateway_response");
  return { outcome: "declined", code: "card_declined", message: words === "" ? "The bank declined the card." : words };
}

/**
 * What does not agree with our order. A field that is missing counts only where the record would end it. Where fees are
 * passed on to the holder, what we asked for is in another field than what was taken.
 */
export function doubtAbout(data: WireRecord, expected: ExpectedTransaction, ends: boolean): string | undefined {
  const asked = data.requested_amount ?? data.amount;
  const facts: readonly (readonly [string, unknown, boolean])[] = [
    ["reference", data.reference, data.reference === expected.reference],
    ["amount", asked, koboOf(asked) === expected.amount],
    ["currency", data.currency, data.currency === "NGN"],
    ["mode", data.domain, data.domain === expected.mode],
  ];
  for (const [name, value, agrees] of facts) {
    const isMissing = value === undefined || value === null;
    if (!agrees && !isMissing) return `Paystack's record of the charge has another ${name} than our order`;
    if (isMissing && ends) return `Paystack's record of the charge has no ${name}`;
  }
  return undefined;
}

function traceOf(data: WireRecord): RailTrace {
  const providerReference = textOf(data.id);
  const fee = koboOf(data.fees);
  return {
    ...(providerReference === undefined ? {} : { providerReference }),
    ...(fee === undefined ? {} : { fee }),
  };
}
