/**
 * A ledger account holds kobo. Accounts with a floor belong to somebody (a wallet, a lender's funding account) and
 * never go below zero. System accounts have no floor: they say where money of the environment stands when it is in
 * nobody's wallet. From an account's view a positive entry is money arriving, a negative one money leaving; all
 * accounts of an environment together always sum to zero.
 */
import { createHash } from "node:crypto";

/** The system accounts that several slices post to. A slice declares those that are its own. */
export const sharedAccounts = {
  outside: "Counterpart of money that enters or leaves through an operator or the sandbox's funding call.",
  fee_income: "Fees earned.",
  vat_payable: "VAT on fees, owed to the tax office.",
  stamp_duty_payable: "Stamp duty collected, owed to the tax office.",
} as const;

export type FloorPurpose = "wallet" | "lender_funding";

/**
 * A system account's id follows from its environment and purpose, so that no payment has to look it up first. A purpose
 * that no slice declares has no account, and a posting to it is refused.
 */
export function systemAccountId(environmentId: string, purpose: string): string {
  return derivedAccountId(environmentId, purpose);
}

const derived = new Map<string, string>();
const derivedBound = 50_000;

/**
 * The same id for the same owner and name, in every process. It is laid out like every other id (version 7): the
 * owner's time stamp, then bits that here come from a hash instead of chance.
 */
export function derivedAccountId(ownerId: string, name: string): string {
  const words = `${ownerId}/${name}`;
  const known = derived.get(words);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(words).digest();
  hash.writeUInt8((hash.readUInt8(0) & 0x0f) | 0x70, 0);
  hash.writeUInt8((hash.readUInt8(2) & 0x3f) | 0x80, 2);
  const rest = hash.toString("hex", 0, 10);
  const id = `${ownerId.slice(0, 13)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8)}`;
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
