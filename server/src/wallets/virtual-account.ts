/**
 * A sub-account whose number a provider gives out. It is an order like a payout: ordered once under our id, asked about
 * until the provider has said yes or no. The wallet is opened under the same id when the number is there, and not
 * before: nobody can be told a number that no bank has given out.
 *
 *   pending ──▶ processing ─┬▶ opened
 *                           └▶ refused
 */

export type VirtualAccountStatus = "pending" | "processing" | "opened" | "refused";

export interface VirtualAccount {
  /** The wallet's, too. */
  readonly id: string;
  readonly accountName: string;
  readonly externalId: string | null;
  readonly status: VirtualAccountStatus;
  /** Null while nothing was ordered. */
  readonly connectionId: string | null;
  /** How often it was ordered, and when last. */
  readonly tries: number;
  readonly sentAt: Date | null;
  readonly refusal: { readonly code: string; readonly message: string } | null;
  readonly createdAt: Date;
}

/** The task that takes an order as far as it gets. */
export const openAccountTask = "wallets.open-account";
