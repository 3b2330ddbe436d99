/**
 * Cards by Paystack. A card is linked by a first charge of NGN 50 on Paystack's own page, which goes back to the holder
 * before the card counts as linked. After that the authorisation is charged, with the e-mail that made it. Our ids are
 * the references: Paystack takes each once.
 */

import { type Kobo, kobo } from "../../money/kobo.ts";
import type { Unknown } from "../answer.ts";
import {
  type CardBrand,
  type CardChargeAnswer,
  type CardChargeOrder,
  type CardLinkAnswer,
  type CardLinkOrder,
  type CardLinkRefusal,
  type CardRail,
  type CardRefundAnswer,
  type CardRefundOrder,
  type CardRefundQueryAnswer,
  type CardRefusal,
  type CardUnlinkAnswer,
  cardBrands,
  type LinkedCard,
  type PageLeft,
} from "../card.ts";
import type { ConnectionMode } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { cleanWords } from "../provider-words.ts";
import { koboOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import {
  type Authorization,
  chargeAuthorization,
  createRefund,
  deactivateAuthorization,
  initializeTransaction,
  listRefunds,
  type RefundCommand,
  verifyTransaction,
} from "./card-calls.ts";
import {
  ageOf,
  classifyCardQuery,
  classifyCharge,
  classifyStart,
  declinedCharge,
  doubtAbout,
  type ExpectedTransaction,
  isOver,
  isUnheardOf,
} from "./classify-card.ts";
import type { PaystackClient } from "./client.ts";
import { isPage } from "./page.ts";
import { dataIn, holdIn, refusalIn, unknownFrom } from "./refusal.ts";

export interface PaystackCardParts {
  readonly client: PaystackClient;
  readonly mode: ConnectionMode;
}

interface OpenParts extends PaystackCardParts {
  /** Refunds that are being ordered, by their note: two at once in this process are one. */
  readonly underWay: Map<string, Promise<RefundFacts>>;
}

export function paystackCard(given: PaystackCardParts): CardRail {
  const parts = { ...given, underWay: new Map<string, Promise<RefundFacts>>() };
  const { client, mode } = parts;
  return {
    name: "paystack",
    deduplicatesByCharge: true,
    settleWindowMs: 10 * 60_000,
    tokenizePath: () => null,
    startLink: async ({ linkId: reference, email, returnUrl: callbackUrl }) =>
      classifyStart(await initializeTransaction(client, { reference, email, amount: linkAmount, callbackUrl }), {
        reference,
      }),
    link: (order) => link(parts, order),
    charge: (order) => charge(parts, order),
    query: async ({ chargeId: reference, amount }) =>
      classifyCardQuery(await verifyTransaction(client, reference), { reference, amount, mode }),
    async refund(order) {
      const wanted = await wantedRefund(parts, order);
      return "outcome" in wanted ? wanted : (await ensureRefund(parts, wanted)).answer;
    },
    queryRefund: (order) => queryRefund(parts, order),
    unlink: ({ token }) => unlink(parts, token),
  };
}

async function link(parts: OpenParts, { linkId: reference }: CardLinkOrder): Promise<CardLinkAnswer> {
  const { client, mode } = parts;
  const facts = classifyLink(await verifyTransaction(client, reference), { reference, amount: linkAmount, mode });
  if (facts.outcome !== "paid") return facts;
  const { transactionId, amount } = facts;
  const back = await ensureRefund(parts, { transactionId, amount, note: `link-${reference}`, mode });
  if (!back.isOrdered && back.answer.outcome === "unknown") return back.answer;
  const isLost = back.answer.outcome === "declined";
  return linkedOrNot(facts, isLost ? "The NGN 50 of a card's first charge could not be given back" : undefined);
}

function linkedOrNot({ card, fingerprint }: PaidLink, alarm: string | undefined): CardLinkAnswer {
  const told = alarm === undefined ? {} : { alarm };
  if (card !== null) return { outcome: "linked", card, ...told };
  const message = "This card cannot be used for later payments. Use another Visa, Mastercard or Verve card.";
  return {
    outcome: "declined",
    code: "card_not_reusable",
    message,
    ...(fingerprint === null ? {} : { fingerprint }),
    ...told,
  };
}

async function charge({ client, mode }: OpenParts, order: CardChargeOrder): Promise<CardChargeAnswer> {
  const { chargeId: reference, amount } = order;
  const authorization = readToken(order.token);
  if (authorization === undefined) return unreadableCard;
  const reply = await chargeAuthorization(client, { ...authorization, reference, amount });
  return classifyCharge(reply, { reference, amount, mode });
}

const unreadableCard: Unknown = {
  outcome: "unknown",
  code: "unreadable_card",
  alarm: "A card that was kept cannot be read: it may have been linked with another provider",
};

/** The charge's transaction, which a refund is made of. */
async function wantedRefund({ client, mode }: OpenParts, order: CardRefundOrder): Promise<ExpectedRefund | Unknown> {
  const { chargeId: reference, refundId: note, amount } = order;
  const reply = await verifyTransaction(client, reference);
  const data = dataIn(reply);
  const transactionId = textOf(data?.id);
  if (transactionId !== undefined && data?.reference === reference) return { transactionId, amount, note, mode };
  if (!isUnheardOf(reply)) return unknownFrom(reply);
  return { outcome: "unknown", code: "no_charge", alarm: "Paystack has no record of a charge that is to be refunded" };
}

/** Orders a refund unless it is there. Paystack has no reference for refunds, so ours are looked for before. */
function ensureRefund(parts: OpenParts, wanted: ExpectedRefund): Promise<RefundFacts> {
  const earlier = parts.underWay.get(wanted.note);
  if (earlier !== undefined) return earlier;
  const ordering = orderRefund(parts, wanted).finally(() => parts.underWay.delete(wanted.note));
  parts.underWay.set(wanted.note, ordering);
  return ordering;
}

async function orderRefund(parts: OpenParts, wanted: ExpectedRefund): Promise<RefundFacts> {
  const listed = await findRefund(parts, wanted);
  if (listed !== undefined) return listed;
  const ordered = classifyOrder(await createRefund(parts.client, wanted), wanted);
  if (ordered.isOrdered || ordered.answer.outcome === "unknown") return ordered;
  // Somebody else of ours may have been faster: then what refuses this one is our own.
  return (await findRefund(parts, wanted)) ?? ordered;
}

const mostPages = 20;

/** Undefined when the whole list was read and has none of ours. */
async function findRefund({ client }: OpenParts, wanted: ExpectedRefund): Promise<RefundFacts | undefined> {
  for (let page = 1; page <= mostPages; page += 1) {
    const reply = await listRefunds(client, wanted.transactionId, page);
    if (!isPage(reply)) return { isOrdered: false, answer: unknownFrom(reply) };
    const ours = findOurs(reply.body.data, wanted);
    if (ours !== undefined) return { isOrdered: true, answer: classifyRefund(ours, wanted) };
    if (reply.body.data.length < 100) return undefined;
  }
  const alarm = "A payment at Paystack has more refunds than could be read";
  return { isOrdered: false, answer: { outcome: "unknown", code: "endless_list", alarm } };
}

async function queryRefund(parts: OpenParts, order: CardRefundOrder): Promise<CardRefundQueryAnswer> {
  const wanted = await wantedRefund(parts, order);
  if ("outcome" in wanted) return wanted;
  const found = await findRefund(parts, wanted);
  return found === undefined ? { outcome: "no_record" } : found.answer;
}

async function unlink({ client }: OpenParts, token: string): Promise<CardUnlinkAnswer> {
  const authorization = readToken(token);
  if (authorization === undefined) return unreadableCard;
  const reply = await deactivateAuthorization(client, authorization.code);
  const isDone = reply.kind === "answer" && reply.status === 200 && recordAt(reply.body).status === true;
  const refusal = refusalIn(reply);
  const isGone = refusal?.status === 404 && /^authori[sz]ation code not found/i.test(refusal.words);
  return isDone || isGone ? { outcome: "unlinked" } : unknownFrom(reply);
}

/** What Paystack says about refunds. They have no reference: ours are found by their note. Pure and total. */
interface ExpectedRefund extends RefundCommand {
  readonly mode: ConnectionMode;
}

/** A refund of ours exists, or not; and what is to be said about it. */
type RefundFacts =
  | { readonly isOrdered: true; readonly answer: CardRefundAnswer }
  | { readonly isOrdered: false; readonly answer: CardRefusal | Unknown };

/** One of a list, by our note. */
export function findOurs(rows: readonly unknown[], { note }: Pick<RefundCommand, "note">): WireRecord | undefined {
  return rows.map((row) => recordAt(row)).find((row) => row.merchant_note === note);
}

export function classifyRefund(row: WireRecord, expected: ExpectedRefund): CardRefundAnswer {
  const word = textOf(row.status) ?? "";
  const providerReference = textOf(row.id);
  const trace = providerReference === undefined ? {} : { trace: { providerReference } };
  const agrees =
    koboOf(row.amount) === expected.amount &&
    row.currency === "NGN" &&
    (row.domain === undefined || row.domain === expected.mode);
  if (!agrees) {
    const alarm = "Paystack's record of a refund has another amount, currency or mode than ours";
    return { outcome: "unknown", code: word, alarm, ...trace };
  }
  if (word === "processed") return { outcome: "success", ...trace };
  if (word === "failed") {
    return { outcome: "declined", code: "refund_failed", message: "The bank did not take the money back." };
  }
  if (word !== "needs-attention") return { outcome: "unknown", code: word, ...trace };
  const alarm =
    "Paystack needs the bank account of a customer for a refund: give it in Paystack's dashboard, under the refund";
  return { outcome: "unknown", code: word, alarm, ...trace };
}

export function classifyOrder(reply: WireReply, expected: ExpectedRefund): RefundFacts {
  const data = dataIn(reply);
  if (data !== undefined) return { isOrdered: true, answer: classifyRefund(data, expected) };
  const refusal = refusalIn(reply);
  const isDefinite = refusal !== undefined && refusal.status === 400 && holdIn(reply) === undefined;
  if (!isDefinite || /try again|later|temporar/i.test(refusal.words)) {
    return { isOrdered: false, answer: unknownFrom(reply) };
  }
  if (refusal.code === "transaction_reversed" || /fully reversed/i.test(refusal.words)) {
    const message = "This payment was given back in full already, and not by us.";
    const alarm = "Paystack has given a payment back that we did not refund: look for it in the dashboard";
    return { isOrdered: false, answer: { outcome: "declined", code: "refunded_elsewhere", message, alarm } };
  }
  const message = "The card processor refused to give the money back.";
  return { isOrdered: false, answer: { outcome: "declined", code: "refund_refused", message } };
}

/** What Paystack says about the first charge of a card, which links it, and which card that was. Pure and total. */

/** The least that Paystack advises for a first charge. It goes back to the holder. */
export const linkAmount: Kobo = kobo(5_000n);

/** The holder has paid; the money is to go back, whether the card can be used or not. */
interface PaidLink {
  readonly outcome: "paid";
  readonly transactionId: string;
  /** What was taken, fees that were passed on included. */
  readonly amount: Kobo;
  /** Null when the card cannot be charged later. */
  readonly card: LinkedCard | null;
  readonly fingerprint: string | null;
}

type LinkFacts = PaidLink | CardLinkRefusal | PageLeft | Unknown;

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
