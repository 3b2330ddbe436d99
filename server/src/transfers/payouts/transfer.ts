/**
 * A transfer moves money from a merchant's wallet to a bank account.
 *
 *   pending ──▶ processing ──▶ completed ──▶ reversed
 *      └────────────┴────────▶ failed
 *
 * The wallet is debited on acceptance: amount and fees wait on the wallet's held account. They leave on `completed`
 * and come back, fees included, on `failed` and `reversed`. A transfer fails out of `pending` only when the account
 * or its name was refused before anything was sent; once it is `processing`, only a definite answer of the bank ends
 * it. The session id is committed before the bank is called, and a transfer has one for its whole life: whatever
 * happens, the bank is asked about that session and no other.
 */
import { createHash } from "node:crypto";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { lagosTime } from "../../platform/time/lagos-date.ts";
import type { OrderRecord } from "../../rails/order-records.ts";
import { namesMatch } from "../names/name-match.ts";
import { noCharge, type TransferCharge, totalDebit } from "../tariff/tariff.ts";

export const transferTransitions = {
  pending: ["processing", "failed"],
  processing: ["completed", "failed"],
  completed: ["reversed"],
  failed: [],
  reversed: [],
} as const satisfies Record<string, readonly string[]>;

export type TransferStatus = keyof typeof transferTransitions;

export const transferResource = "transfer";
/** The list counter of `GET /transfers`, and the namespace of its references. */
export const payoutList = "transfers";
/** The namespace of the references of batches. */
export const batchReferences = "transfer_batches";
/** The namespace of the references of disbursements. */
export const disbursementReferences = "disbursements";

/**
 * A payout is the merchant's own. A disbursement pays a loan out to its borrower from the lender's funding account: it
 * costs no fee, the merchant's lists do not show it, and the loan announces what became of it.
 */
export type TransferPurpose = "payout" | "disbursement";

export interface Transfer extends OrderRecord, TransferCharge {
  readonly purpose: TransferPurpose;
  readonly externalReference: string | null;
  readonly batchId: string | null;
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly expectedName: string | null;
  /** The CBN code; `bank-directory` knows the rest. */
  readonly bankCode: string;
  readonly narration: string | null;
  readonly metadata: Readonly<Record<string, string | number | boolean | null>> | null;
  readonly status: TransferStatus;
  /** By which the bank knows it; null while it waits. */
  readonly sessionId: string | null;
}

export interface TransferCost extends TransferCharge {
  readonly totalDebit: Kobo;
}

/**
 * What a transfer costs the merchant as things stand, so that sums over transfers agree with the statement: what is
 * held while it is open, nothing once amount and fees have come back.
 */
export function costOf(transfer: TransferCharge & Pick<Transfer, "amount" | "status">): TransferCost {
  if (transfer.status === "failed" || transfer.status === "reversed") return { ...noCharge, totalDebit: zeroKobo };
  const { fee, vat, stampDuty } = transfer;
  return { fee, vat, stampDuty, totalDebit: totalDebit(transfer) };
}

export function canMove(from: TransferStatus, to: TransferStatus): boolean {
  return (transferTransitions[from] as readonly string[]).includes(to);
}

/**
 * The last look before a payout is sent, once the bank has named the holder: why it fails instead, or null. It is asked
 * wherever a payout starts. Nothing was sent by then, so the money goes back to the wallet.
 */
export function refusalBeforeSending(
  transfer: Pick<Transfer, "expectedName">,
  accountName: string,
): OrderRecord["failureReason"] {
  const { expectedName } = transfer;
  if (expectedName === null || namesMatch(expectedName, accountName)) return null;
  return { code: "account_name_mismatch", message: `The bank names ${accountName}, not ${expectedName}.` };
}

/**
 * A session id has 30 digits: the sender's six, the time in Lagos to the second, and twelve of its own. All of them
 * follow from the transfer. A database that was restored to a moment before a transfer was sent sends it again, under
 * the same session, and the bank sees that it has it already.
 */
export function sessionIdOf({ id, createdAt }: Pick<Transfer, "id" | "createdAt">, senderCode: string): string {
  const lagos = lagosTime(createdAt);
  const parts = [lagos.year % 100, lagos.month, lagos.day, lagos.hour, lagos.minute, lagos.second];
  const time = parts.map((part) => String(part).padStart(2, "0")).join("");
  const own = createHash("sha256").update(id).digest().readUIntBE(0, 6) % 1_000_000_000_000;
  return `${senderCode}${time}${String(own).padStart(12, "0")}`;
}
