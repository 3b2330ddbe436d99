/**
 * A bill is something a merchant buys for its customer from a biller: airtime, data, electricity, a TV package, money
 * on a betting account.
 *
 *   pending ──▶ processing ──▶ successful ──▶ reversed
 *                    └───────▶ failed
 *
 * The wallet is debited on acceptance: amount and fee wait on the wallet's held account. They leave on `successful` and
 * come back on `failed` and `reversed`. The merchant earns a commission: a credit of its own on success, taken back on
 * reversal. Only a definite answer of the biller ends a bill; whatever happens, the biller is asked about the bill's id
 * and no other, so that nothing is bought twice on a guess.
 */

import { add } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { keysOf } from "../../platform/keys-of.ts";
import type { BillCategory, MeterType } from "../../rails/biller.ts";
import type { OrderRecord } from "../../rails/order-records.ts";

export const billTransitions = {
  pending: ["processing"],
  processing: ["successful", "failed"],
  successful: ["reversed"],
  failed: [],
  reversed: [],
} as const satisfies Record<string, readonly string[]>;

export type BillStatus = keyof typeof billTransitions;

export const billStatuses = keysOf(billTransitions);

export const subscriptionTypes = ["change", "renew"] as const;
export type SubscriptionType = (typeof subscriptionTypes)[number];

export const billResource = "bill";
/** The list counter of `GET /bills`, and the namespace of its references. */
export const billList = "bills";

/** What is bought and for whom, as it was priced. */
export interface BillTerms {
  readonly category: BillCategory;
  /** The network, company or bookmaker, by its code in the catalogue. */
  readonly provider: string;
  readonly product: { readonly code: string; readonly name: string };
  readonly customer: { readonly identifier: string; readonly name: string | null };
  /** Whom to tell, where the customer is not a phone number. */
  readonly phoneNumber: string | null;
  readonly meterType: MeterType | null;
  readonly subscriptionType: SubscriptionType | null;
  readonly amount: Kobo;
  readonly catalogueVersion: number;
}

/** The wallet that pays earns the commission, too. */
export interface Bill extends OrderRecord, BillTerms {
  readonly commission: Kobo;
  readonly status: BillStatus;
  readonly token: string | null;
  readonly units: string | null;
  readonly receiptNumber: string | null;
  /** By which the biller knows it; null while it waits. */
  readonly requestId: string | null;
}

export function canMove(from: BillStatus, to: BillStatus): boolean {
  return (billTransitions[from] as readonly string[]).includes(to);
}

/** What the wallet is debited at acceptance, and given back on `failed` and `reversed`. The commission is a credit apart. */
export function totalHeld({ amount, fee }: Pick<Bill, "amount" | "fee">): Kobo {
  return add(amount, fee);
}

export interface BillCost {
  readonly fee: Kobo;
  readonly commission: Kobo;
  readonly totalDebited: Kobo;
}

const nothing: BillCost = { fee: zeroKobo, commission: zeroKobo, totalDebited: zeroKobo };

/**
 * What a bill costs and earns the merchant as things stand, so that sums over bills agree with the statement: what is
 * held and will be earned while it is open, nothing once everything has come back.
 */
export function costOf(bill: Pick<Bill, "amount" | "fee" | "commission" | "status">): BillCost {
  if (bill.status === "failed" || bill.status === "reversed") return nothing;
  return { fee: bill.fee, commission: bill.commission, totalDebited: totalHeld(bill) };
}
