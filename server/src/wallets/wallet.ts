/**
 * A wallet is what a merchant sees of an account: a name, a virtual account number that others can pay into, and a
 * balance in two parts. `available` can be spent; `held` has been committed to payouts and bills that are not final
 * yet, and comes back if they fail.
 *
 * Every environment has one main wallet, and any number of sub-accounts. The wallet and its ledger account share
 * their id.
 */
import { derivedAccountId } from "../ledger/account.ts";
import type { Kobo } from "../money/kobo.ts";

export interface Wallet {
  readonly id: string;
  readonly isMain: boolean;
  readonly accountName: string;
  readonly accountNumber: string;
  readonly externalId: string | null;
  /** Who gave the number out; null for one that we made up, which only a sandbox can be paid to. */
  readonly provided: ProvidedAccount | null;
  readonly createdAt: Date;
}

export interface ProvidedAccount {
  readonly connectionId: string;
  readonly bankName: string;
  /** By which the provider knows the holder: the second key of a payment. */
  readonly holderReference: string;
}

export interface WalletBalance {
  readonly accountId: string;
  readonly available: Kobo;
  readonly held: Kobo;
}

/** A sandbox's virtual accounts are held at this bank; payers see its name. */
export const virtualAccountBank = "Jara Sandbox Bank";

/** The list of sub-accounts; also the kind under which their external ids are claimed. */
export const subAccountList = "sub_accounts";

/** The main wallet's id follows from the environment's, so that a payout need not look it up. */
export function mainWalletId(environmentId: string): string {
  return derivedAccountId(environmentId, "main wallet");
}

/** Where the reference shows the merchant's endpoints. */
export const walletTag = "Wallets";
