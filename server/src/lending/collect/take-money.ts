/**
 * What recording a repayment and refunding credit have in common: a reference, and the account that money is on. A card
 * pays by its network; everything else is debited to a wallet of the merchant's. A merchant that was handed cash, or
 * received a transfer, keeps it and the same amount leaves the wallet, as with an agent's float: nobody's mere word
 * refills the lender's funds.
 */

import type { Kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { commonProblem } from "../../platform/problem.ts";
import { requireWallet } from "../../wallets/credit-wallet.ts";
import { mainWalletId } from "../../wallets/wallet.ts";
import type { RepaymentChannel } from "../position/repayment.ts";

export interface MoneyCommand {
  readonly accountId: string;
  readonly amount: Kobo;
  /** The merchant's, used once in the environment. */
  readonly reference: string;
  readonly channel: RepaymentChannel;
  /** A wallet of the merchant's; the main one unless another is named. Cards have none. */
  readonly walletId?: string | undefined;
}

export async function walletOf(tx: Tx, { channel, walletId }: MoneyCommand): Promise<string | null> {
  return channel === "card" ? null : payingWallet(tx, walletId);
}

/** Throws wallet_not_found for what is not a wallet: no other account may be named here. */
export async function payingWallet(tx: Tx, walletId: string | undefined): Promise<string> {
  const main = mainWalletId(tx.environment.id);
  return walletId === undefined || walletId === main ? main : (await requireWallet(tx, walletId)).id;
}

interface Recorded {
  readonly accountId: string;
  readonly amount: Kobo;
  readonly channel: RepaymentChannel;
  readonly walletId: string | null;
}

/** What a caller sent, by its names on the wire. */
const wireNames = {
  accountId: "loan_id",
  amount: "amount",
  channel: "channel",
  walletId: "wallet_id",
} as const satisfies Record<keyof Recorded, string>;

/** The same reference with other content is refused, naming the fields that differ. */
export function refuseOther(earlier: Recorded, command: MoneyCommand, walletId: string | null): void {
  const wanted: Recorded = { ...command, walletId };
  const isOther = (field: keyof Recorded): boolean => {
    // Recorded before wallets stood for cash and bank transfers; nobody could name one then.
    if (field === "walletId" && earlier.walletId === null && command.walletId === undefined) return false;
    return earlier[field] !== wanted[field];
  };
  const differing = keysOf(wireNames).filter(isOther);
  // Another channel comes with another wallet, or with none, which nobody has sent.
  const sent = differing.filter((field) => field !== "walletId" || !differing.includes("channel"));
  if (sent.length === 0) return;
  throw commonProblem("reference_conflict", { data: { fields: sent.map((field) => wireNames[field]) } });
}
