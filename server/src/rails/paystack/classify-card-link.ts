/** What Paystack says about the first charge of a card, which links it, and which card that was. Pure and total. */
import { type Kobo, kobo } from "../../money/kobo.ts";
import type { Unknown } from "../answer.ts";
import { type CardBrand, type CardLinkRefusal, cardBrands, type LinkedCard, type PageLeft } from "../card.ts";
import type { WireReply } from "../provider-client.ts";
import { cleanWords } from "../provider-words.ts";
import { koboOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import type { Authorization } from "./card-calls.ts";
import { ageOf, declinedCharge, doubtAbout, type ExpectedTransaction, isOver, isUnheardOf } from "./classify-card.ts";
import { dataIn, unknownFrom } from "./refusal.ts";

/** The least that Paystack advises for a first charge. It goes back to the holder. */
export const linkAmount: Kobo = kobo(5_000n);

/** The holder has paid; the money is to go back, whether the card can be used or not. */
export interface PaidLink {
  readonly outcome: "paid";
  readonly transactionId: string;
  /** What was taken, fees that were passed on included. */
  readonly amount: Kobo;
  /** Null when the card cannot be charged later. */
  readonly card: LinkedCard | null;
  readonly fingerprint: string | null;
}

export type LinkFacts = PaidLink | CardLinkRefusal | PageLeft | Unknown;

export function classifyLink(reply: WireReply, expected: ExpectedTransaction): LinkFacts {
  const data = dataIn(reply);
  // Nobody was ever sent to a page that Paystack does not know.
  if (data === undefined) return isUnheardOf(reply) ? { outcome: "left" } : unknownFrom(reply);
  const word = textOf(data.status) ?? "";
  // What we gave back ourselves is called reversed, too.
  const isPaid = word === "success" || word === "reversed";
  const doubt = doubtAbout(data, expected, isPaid || word === "failed");
  if (doubt !== undefined) return { outcome: "unknown", code: word, alarm: doubt };
  if (isPaid) return paidLink(data);
  if (word === "failed") return declinedCharge(data);
  return word === "abandoned" && isOver(ageOf(reply, data)) ? { outcome: "left" } : { outcome: "unknown", code: word };
}

function paidLink(data: WireRecord): PaidLink | Unknown {
  const transactionId = textOf(data.id);
  const amount = koboOf(data.amount);
  if (transactionId === undefined || amount === undefined) {
    return {
      outcome: "unknown",
      code: "unreadable",
      alarm: "Paystack's record of a card's first charge has no id or amount",
    };
  }
  const authorization = recordAt(data, "authorization");
  const fingerprint = textOf(authorization.signature) ?? null;
  const card = cardIn(authorization, textOf(recordAt(data, "customer").email), fingerprint);
  return { outcome: "paid", transactionId, amount, card, fingerprint };
}

function cardIn(from: WireRecord, email: string | undefined, fingerprint: string | null): LinkedCard | null {
  const code = textOf(from.authorization_code);
  const brand = brandOf(from.brand) ?? brandOf(from.card_type);
  const last4 = textOf(from.last4) ?? "";
  const [expMonth, expYear] = [Number(textOf(from.exp_month)), Number(textOf(from.exp_year))];
  const isLasting = from.channel === "card" && from.reusable === true;
  const isDated = Number.isInteger(expMonth) && expMonth >= 1 && expMonth <= 12 && expYear >= 2000 && expYear <= 9999;
  if (!isLasting || !isDated || !/^\d{4}$/.test(last4)) return null;
  if (code === undefined || email === undefined || brand === undefined) return null;
  const bank = cleanWords(textOf(from.bank) ?? "");
  const shown = { brand, last4, expMonth, expYear, bank: bank === "" ? null : bank };
  // The bank's word for the holder. The customer beside it is what we told Paystack.
  const holder = cleanWords(textOf(from.account_name) ?? "");
  return { token: tokenOf({ code, email }), ...shown, fingerprint, ...(holder === "" ? {} : { holder }) };
}

/** Paystack writes "visa ", "Visa" and "mastercard debit". */
function brandOf(value: unknown): CardBrand | undefined {
  const [word = ""] = (textOf(value) ?? "").trim().toLowerCase().split(/\s+/);
  return cardBrands.find((brand) => brand === word);
}

function tokenOf({ code, email }: Authorization): string {
  return JSON.stringify({ authorization_code: code, email });
}

/** Undefined for what is not a token of ours. */
export function readToken(token: string): Authorization | undefined {
  try {
    const { authorization_code: code, email } = recordAt(JSON.parse(token));
    return typeof code === "string" && typeof email === "string" ? { code, email } : undefined;
  } catch {
    return undefined;
  }
}
