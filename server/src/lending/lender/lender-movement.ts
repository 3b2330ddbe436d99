/**
 * The lender's own money, of one environment. It is in three places: available on the funding account, held for loans
 * that are being paid out, and lent to borrowers. Together that is what the lender has put in and not taken out
 * (`funded`), which only an operator's deposits and withdrawals change: loans move money between the three places.
 * Interest and fees are the lender's income and stand on accounts of their own.
 *
 * A movement is done when it is written: it has no states.
 */
import { heldAccountId, systemAccountId } from "../../ledger/account.ts";
import type { Posting } from "../../ledger/post.ts";
import { add, larger, negate, subtract } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { lenderFundingId } from "../account/loan-account.ts";

export const lenderDirections = ["deposit", "withdrawal"] as const;
export type LenderDirection = (typeof lenderDirections)[number];

export interface LenderMovement {
  readonly id: string;
  readonly direction: LenderDirection;
  readonly amount: Kobo;
  /** The operator's, used once in the environment. */
  readonly reference: string;
  readonly reason: string;
  /** Where the money can be looked up outside; moves money once. */
  readonly evidence: string;
  readonly fundedAfter: Kobo;
  readonly createdAt: Date;
}

export interface LenderFunds {
  readonly available: Kobo;
  /** For loans that a bank is being asked to pay. */
  readonly held: Kobo;
  /** Principal that borrowers have. */
  readonly lent: Kobo;
  /** Approved loans for which no money is held yet. */
  readonly promised: Kobo;
}

export function fundedOf({ available, held, lent }: Omit<LenderFunds, "promised">): Kobo {
  return add(available, held, lent);
}

/** Promises come first, so it is nothing while they are larger than what is there. */
export function withdrawableOf({ available, promised }: Pick<LenderFunds, "available" | "promised">): Kobo {
  return larger(subtract(available, promised), zeroKobo);
}

/** The accounts that the lender's money is on. */
export function lenderAccounts(environmentId: string) {
  const available = lenderFundingId(environmentId);
  return { available, held: heldAccountId(available), lent: systemAccountId(environmentId, "funds_lent") } as const;
}

const lenderMovementResource = "lender_movement";

/** How each direction is called in the ledger. */
export const lenderPostingKinds = {
  deposit: "lender.deposited",
  withdrawal: "lender.withdrawn",
} as const satisfies Record<LenderDirection, string>;

export function lenderPosting(environmentId: string, movement: LenderMovement): Posting {
  const { id, direction, amount, reference, reason } = movement;
  const arriving = direction === "deposit" ? amount : negate(amount);
  return {
    id,
    kind: lenderPostingKinds[direction],
    resource: { type: lenderMovementResource, id, reference },
    narration: reason,
    legs: [
      { accountId: lenderFundingId(environmentId), amount: arriving },
      { accountId: systemAccountId(environmentId, "outside"), amount: negate(arriving) },
    ],
  };
}
