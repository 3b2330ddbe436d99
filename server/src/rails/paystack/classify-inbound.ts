/**
 * What Paystack's replies about dedicated accounts and the money paid into them mean. Pure and total: whatever arrives
 * is one of our answers. A credit is one only when Paystack says so about the id that we asked for, on the channel of
 * dedicated accounts and in the mode of the connection.
 */
import { zeroKobo } from "../../money/kobo.ts";
import type { NoRecord, Unknown } from "../answer.ts";
import type { AccountOpening, AccountRefusal, CreditAnswer, InboundCredit, OpenedAccount } from "../inbound.ts";
import type { ConnectionMode } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { koboOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import { isPage } from "./page.ts";
import { dataIn, holdIn, type Refusal, refusalIn, unknownFrom } from "./refusal.ts";

/** Our side of a holder: each wallet has an address of its own. */
export interface ExpectedHolder {
  readonly email: string;
  readonly mode: ConnectionMode;
}

export interface Holder {
  readonly outcome: "holder";
  readonly id: string;
  readonly code: string;
}

export function classifyHolder(
  reply: WireReply,
  expected: ExpectedHolder,
): Holder | NoRecord | AccountRefusal | Unknown {
  const data = dataIn(reply);
  if (data !== undefined) return holderIn(data, expected);
  const refusal = refusalIn(reply);
  if (refusal === undefined) return unknownFrom(reply);
  const isUnheardOf = refusal.status === 404 && /^customer\b.*not found/i.test(refusal.words);
  if (isUnheardOf || refusal.code === "customer_not_found") return { outcome: "no_record" };
  return refusedAccount(reply, refusal);
}

function holderIn(data: WireRecord, { email, mode }: ExpectedHolder): Holder | Unknown {
  const [id, code] = [textOf(data.id), textOf(data.customer_code)];
  const told = textOf(data.email)?.trim().toLowerCase();
  const isOurs = told === email.toLowerCase() && (data.domain === undefined || data.domain === mode);
  if (isOurs && id !== undefined && code !== undefined) return { outcome: "holder", id, code };
  const alarm = "Paystack's record of an account's holder is not the one that we asked for";
  return { outcome: "unknown", code: "other_holder", alarm };
}

/** The accounts of a holder. No account and no word of one is no record. */
export function classifyAccounts(reply: WireReply, holder: Holder): AccountOpening | NoRecord {
  if (!isPage(reply)) return heldBack(reply);
  const rows = reply.body.data.map((row) => recordAt(row)).filter((row) => isOf(row, holder));
  if (rows.length === 0) return { outcome: "no_record" };
  const [first, ...others] = rows.map((row) => accountIn(row, holder)).filter((found) => found !== undefined);
  if (first === undefined) return beingAssigned;
  return others.length === 0 ? first : { ...first, alarm: "A wallet has more than one account number at Paystack" };
}

export function classifyAccountOpening(reply: WireReply, holder: Holder): AccountOpening {
  const data = dataIn(reply);
  if (data !== undefined) {
    if (isOf(data, holder)) return accountIn(data, holder) ?? beingAssigned;
    const alarm = "Paystack opened an account for another holder than the one that we named";
    return { outcome: "unknown", code: "other_holder", alarm };
  }
  const refusal = refusalIn(reply);
  return refusal === undefined ? heldBack(reply) : refusedAccount(reply, refusal);
}

const beingAssigned: Unknown = { outcome: "unknown", code: "being_assigned" };

function isOf(row: WireRecord, { id, code }: Holder): boolean {
  const { customer_code: told, id: toldId } = recordAt(row, "customer");
  return told === code || (told === undefined && textOf(toldId) === id);
}

/** Undefined while it is not there to be paid into. A closed one is no longer assigned. */
function accountIn(row: WireRecord, { code }: Holder): OpenedAccount | undefined {
  const accountNumber = textOf(row.account_number)?.trim() ?? "";
  const isReady = row.assigned === true && row.active !== false && (row.currency ?? "NGN") === "NGN";
  if (!isReady || !/^\d{10}$/.test(accountNumber)) return undefined;
  const bankName = textOf(recordAt(row, "bank").name)?.trim();
  if (bankName === undefined) return undefined;
  const accountName = textOf(row.account_name)?.trim() ?? "";
  return { outcome: "active", account: { accountNumber, accountName, bankName, holderReference: code } };
}

function refusedAccount(reply: WireReply, refusal: Refusal): AccountRefusal | Unknown {
  if (holdIn(reply) !== undefined || !refusesHolder(refusal)) return heldBack(reply);
  const message = "The provider did not take the account's name. Choose another one, of letters only.";
  return { outcome: "refused", code: "holder_refused", message };
}

/** Whether nothing was opened because of what we said about the holder. */
function refusesHolder({ status, words }: Refusal): boolean {
  if (status !== 400 && status !== 422) return false;
  return /\b(first|last)[_ ]?name\b/i.test(words) && /invalid|required|must|contain|allowed/i.test(words);
}

/**
 * Nothing was settled. Dedicated accounts are switched on for a business one by one: where they are off, payouts of the
 * same connection go on, so it is not held but people are told, and the account is opened once they are on.
 */
function heldBack(reply: WireReply): Unknown {
  const unknown = unknownFrom(reply);
  const words = refusalIn(reply)?.words ?? "";
  const isOff =
    unknown.hold?.reason === "not_enabled" || /nuban is not available|dedicated.*not (available|enabled)/i.test(words);
  const wantsIdentity = /validat|identif|\bbvn\b/i.test(words);
  if (!isOff && !wantsIdentity) return unknown;
  const alarm = isOff
    ? "Dedicated accounts are not enabled for our business at Paystack: ask its support"
    : "Paystack wants the identity of each account's holder: ask its support to open accounts without it";
  return { outcome: "unknown", code: isOff ? "not_enabled" : "identity_wanted", alarm };
}

export interface AskedCredit {
  readonly transactionId: string;
  readonly mode: ConnectionMode;
}

export function classifyCredit(reply: WireReply, asked: AskedCredit): CreditAnswer {
  const data = dataIn(reply);
  if (data !== undefined) return creditIn(data, asked);
  const refusal = refusalIn(reply);
  const isUnheardOf =
    refusal !== undefined &&
    (refusal.status === 404 || refusal.status === 400) &&
    /^transaction\b.*(not found|invalid)/i.test(refusal.words);
  return isUnheardOf || refusal?.code === "transaction_not_found" ? { outcome: "no_record" } : unknownFrom(reply);
}

function creditIn(data: WireRecord, { transactionId, mode }: AskedCredit): CreditAnswer {
  const word = textOf(data.status) ?? "";
  if (textOf(data.id) !== transactionId)
    return doubtful("Paystack told of another payment than the one we asked about");
  if (!isCredit(data)) return { outcome: "not_inbound", why: "not paid into a dedicated account" };
  if (data.domain !== mode) {
    const alarm = `A payment of Paystack's other mode was named on a ${mode} connection`;
    return { outcome: "not_inbound", why: "another mode", alarm };
  }
  if (word === "reversed") return { outcome: "taken_back" };
  if (word === "failed" || word === "abandoned") return { outcome: "not_inbound", why: word };
  if (word !== "success") return { outcome: "unknown", code: word };
  const credit = readCredit(data, transactionId);
  return credit === undefined
    ? doubtful("Paystack's record of a payment has no amount, fee, currency or time that can be read")
    : { outcome: "credited", credit };
}

/** Whether a transaction was paid into a dedicated account. */
export function isCredit(data: WireRecord): boolean {
  return data.channel === "dedicated_nuban";
}

function doubtful(alarm: string): Unknown {
  return { outcome: "unknown", code: "doubtful", alarm };
}

function readCredit(data: WireRecord, transactionId: string): InboundCredit | undefined {
  const amount = koboOf(data.amount);
  const fee = data.fees === undefined || data.fees === null ? zeroKobo : koboOf(data.fees);
  const currency = textOf(data.currency) ?? "";
  const paidAt = new Date(textOf(data.paid_at) ?? textOf(data.paidAt) ?? textOf(data.created_at) ?? "");
  if (amount === undefined || amount === 0n || fee === undefined || fee > amount) return undefined;
  if (!/^[A-Z]{3}$/.test(currency) || Number.isNaN(paidAt.getTime())) return undefined;
  const paid = recordAt(data, "authorization");
  const number =
    textOf(paid.receiver_bank_account_number) ?? textOf(recordAt(data, "metadata").receiver_account_number);
  const reference = textOf(data.reference) ?? "";
  return {
    transactionId,
    amount,
    fee,
    currency,
    accountNumber: number?.trim() ?? null,
    holderReference: textOf(recordAt(data, "customer").customer_code) ?? null,
    senderName: personOf(paid.sender_name),
    senderBank: personOf(paid.sender_bank),
    senderAccount: /(\d{4})\s*$/.exec(textOf(paid.sender_bank_account_number) ?? "")?.[1] ?? null,
    networkSessionId: /^\d{30}$/.test(reference) ? reference : null,
    paidAt,
  };
}

/** A name as banks send it, on one line. */
function personOf(value: unknown): string | null {
  const text = typeof value === "string" ? value.replace(/[\p{C}\s]+/gu, " ").trim() : "";
  return text === "" ? null : text.slice(0, 100);
}
