/**
 * Money that a provider took in for us. It is known by the provider's transaction id, and booked once: to the wallet
 * that it was paid to, or into suspense, where that cannot be told or the ceilings do not let it through. From there it
 * goes to a wallet when an operator says whose it is, or when an account that was still being opened turns out to be
 * the one.
 *
 *   credited            to a wallet, as it came
 *   open ──▶ assigned   in suspense, then to a wallet
 *   foreign_currency    kept aside: our books are in naira, so nothing is posted
 */
import { systemAccountId } from "../ledger/account.ts";
import type { Posting } from "../ledger/post.ts";
import { negate } from "../money/arithmetic.ts";
import type { Kobo } from "../money/kobo.ts";
import type { InboundCredit } from "../rails/inbound.ts";
import type { ConnectionMode } from "../rails/provider.ts";

/** What was set aside is in one of these. */
export const suspenseStates = ["open", "assigned", "foreign_currency"] as const;
export type SuspenseState = (typeof suspenseStates)[number];

export const suspenseReasons = [
  "unknown_account",
  "keys_disagree",
  "session_seen",
  "foreign_currency",
  "credit_ceiling",
  "daily_ceiling",
] as const;
export type SuspenseReason = (typeof suspenseReasons)[number];

export interface StoredCredit extends InboundCredit {
  readonly id: string;
  readonly connectionId: string;
  readonly provider: string;
  readonly mode: ConnectionMode;
  readonly state: "credited" | SuspenseState;
  readonly reason: SuspenseReason | null;
  readonly wallet: WalletPlace | null;
  readonly createdAt: Date;
  readonly assignedAt: Date | null;
}

export interface WalletPlace {
  readonly environmentId: string;
  readonly walletId: string;
}

/** A wallet that has the credit's number or holder at this provider. */
export interface Candidate extends WalletPlace {
  readonly sameConnection: boolean;
  readonly numberFits: boolean;
  readonly holderFits: boolean;
}

/**
 * Whose a credit is. Both keys must name one wallet, where both are told; one that is not told cannot disagree. On
 * another connection to the same provider, such as one that was connected again, both must be told. Nobody guesses.
 */
export function placeCredit(
  { accountNumber, holderReference }: Pick<InboundCredit, "accountNumber" | "holderReference">,
  candidates: readonly Candidate[],
): WalletPlace | "unknown_account" | "keys_disagree" {
  const agrees = ({ sameConnection, numberFits, holderFits }: Candidate): boolean =>
    (sameConnection || (accountNumber !== null && holderReference !== null)) &&
    (accountNumber === null || numberFits) &&
    (holderReference === null || holderFits);
  const fitting = candidates.filter(agrees);
  const here = fitting.filter(({ sameConnection }) => sameConnection);
  const [found, ...others] = here.length > 0 ? here : fitting;
  // Two wallets that both fit are two owners, of whom nobody can say which is meant.
  if (found === undefined || others.some(({ walletId }) => walletId !== found.walletId)) {
    return candidates.length === 0 ? "unknown_account" : "keys_disagree";
  }
  return { environmentId: found.environmentId, walletId: found.walletId };
}

/** System accounts of environments and of the operator alike. */
export const inboundAccounts = {
  inbound_clearing: "What providers took in and owe us (negative), after their fees.",
  inbound_costs: "What providers charged for money that came in (negative), at the operator's expense.",
} as const;

/** Test money is kept apart from real money: both may be in the operator's ledger. */
export function operatorAccounts(mode: ConnectionMode) {
  const suffix = mode === "test" ? "_test" : "";
  return {
    clearing: `inbound_clearing${suffix}`,
    costs: `inbound_costs${suffix}`,
    suspense: `inbound_suspense${suffix}`,
  } as const;
}

export const creditResource = "inbound_credit";

/** What the provider kept of a credit. */
export function feePosting(
  environmentId: string,
  { clearing, costs }: { readonly clearing: string; readonly costs: string },
  fee: { readonly id: string; readonly amount: Kobo; readonly resource: Posting["resource"] },
): Posting {
  return {
    id: fee.id,
    kind: "wallet.inbound_fee",
    resource: fee.resource,
    narration: "Provider's fee for money that came in",
    legs: [
      { accountId: systemAccountId(environmentId, costs), amount: negate(fee.amount) },
      { accountId: systemAccountId(environmentId, clearing), amount: fee.amount },
    ],
  };
}
