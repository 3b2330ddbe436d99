/**
 * A movement is money that a wallet gains or loses by other ways than payouts and bills: a sandbox's funding, a credit
 * that somebody paid to the virtual account, a move between own accounts, an operator's correction. A side that is
 * null is the world outside the environment.
 *
 * A movement is done when it is written: it has no states.
 */
import { systemAccountId } from "../ledger/account.ts";
import type { Posting } from "../ledger/post.ts";
import { negate } from "../money/arithmetic.ts";
import type { Kobo } from "../money/kobo.ts";

/** How each kind shows as the type of a statement line. */
const movementTypes = {
  funding: "wallet.funded",
  inbound_credit: "wallet.credited",
  own_transfer: "wallet.transferred",
  operator_credit: "wallet.operator_credited",
  operator_debit: "wallet.operator_debited",
} as const satisfies Record<string, string>;

export type MovementKind = keyof typeof movementTypes;

export interface Movement {
  readonly id: string;
  readonly kind: MovementKind;
  readonly reference: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: Kobo;
  readonly senderName: string | null;
  /** An operator's. */
  readonly reason: string | null;
  readonly createdAt: Date;
}

export const movementResource = "wallet_movement";

/** `counterpart` is the system account that stands for the world outside. */
export function postingOf(environmentId: string, movement: Movement, counterpart = "outside"): Posting {
  const outside = systemAccountId(environmentId, counterpart);
  return {
    id: movement.id,
    kind: movementTypes[movement.kind],
    resource: { type: movementResource, id: movement.id, reference: movement.reference },
    narration: narrationOf(movement),
    legs: [
      { accountId: movement.from ?? outside, amount: negate(movement.amount) },
      { accountId: movement.to ?? outside, amount: movement.amount },
    ],
  };
}

function narrationOf({ kind, senderName, reason }: Movement): string {
  if (kind === "funding") return "Sandbox funding";
  if (kind === "own_transfer") return "Transfer between own accounts";
  if (kind === "inbound_credit") return `Transfer from ${senderName ?? "an unknown sender"}`;
  return reason ?? "Correction by the operator";
}
