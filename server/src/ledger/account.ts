/**
 * A ledger account holds kobo. Accounts with a floor belong to somebody (a wallet, a lender's funding account) and
 * never go below zero. System accounts have no floor: they say where money of the environment stands when it is in
 * nobody's wallet. From an account's view a positive entry is money arriving, a negative one money leaving; all
 * accounts of an environment together always sum to zero.
 */
import { createHash } from "node:crypto";

export const systemPurposes = [
  /** Counterpart of money that enters or leaves through an operator or the sandbox's funding call. */
  "outside",
  /** What the bank rail has taken from us. */
  "bank_settlement",
  /** Transfer fees earned. */
  "fee_income",
  /** VAT on fees, owed to the tax office. */
  "vat_payable",
  /** Stamp duty collected, owed to the tax office. */
  "stamp_duty_payable",
] as const;

export type SystemPurpose = (typeof systemPurposes)[number];
export type FloorPurpose = "wallet" | "lender_funding";

/**
 * A system account's id follows from its environment and purpose, so that no payment has to look it up first.
 */
export function systemAccountId(environmentId: string, purpose: SystemPurpose): string {
  return derivedAccountId(environmentId, purpose);
}

const derived = new Map<string, string>();
const derivedBound = 50_000;

/** A name-based UUID (version 8): the same for the same words, whoever computes it. */
export function derivedAccountId(environmentId: string, name: string): string {
  const words = `${environmentId}/${name}`;
  const known = derived.get(words);
  if (known !== undefined) return known;
  const bytes = createHash("sha256").update(words).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  if (derived.size >= derivedBound) derived.clear();
  derived.set(words, id);
  return id;
}

/**
 * Money that an account with a floor has committed and not yet lost waits on an account of its own: it has no floor,
 * so nobody waits for it, and its balance is what the owner sees as held.
 */
export function heldAccountId(accountId: string): string {
  return derivedAccountId(accountId, "held");
}
