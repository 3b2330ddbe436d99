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
  /** What the billers have taken from us. */
  "bills_settlement",
  /** Fees earned. */
  "fee_income",
  /** What merchants earn on the bills they sell, paid by us out of what billers pay us. */
  "commission_expense",
  /** VAT on fees, owed to the tax office. */
  "vat_payable",
  /** Stamp duty collected, owed to the tax office. */
  "stamp_duty_payable",
  /** Principal that borrowers owe (negative). */
  "loan_book",
  /** The lender's money that is out with borrowers: the other side of the loan book, until losses tell them apart. */
  "funds_lent",
  /** Interest that has fallen due and is not paid (negative). */
  "interest_receivable",
  /** Fees and late fees of loans that have fallen due and are not paid (negative). */
  "loan_fees_receivable",
  /** Interest and fees of loans that were paid before they fell due. */
  "unearned_loan_income",
  /** Interest earned. */
  "interest_income",
  /** Fees of loans earned. */
  "loan_fee_income",
  /** Late fees earned. */
  "late_fee_income",
  /** What borrowers paid too much and can have back. */
  "loan_credit",
  /** Repayments that no loan can take: somebody must decide. */
  "loan_suspense",
  /** What was written off (negative). */
  "loan_losses",
  /** Repayments that merchants took in cash or on their own bank accounts and owe to the lender (negative). */
  "merchant_receivable",
  /** What the card rail has collected and owes us (negative). */
  "card_settlement",
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

/**
 * The same id for the same owner and name, whoever computes it. It is laid out like every other id (version 7): the
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
