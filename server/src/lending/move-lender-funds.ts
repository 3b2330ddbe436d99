/**
 * An operator puts the lender's money in, once it has arrived at the bank, or takes some out. Who does it says what
 * the lender will have put in altogether afterwards. A digit too many in the amount, the same money booked by two
 * operators, or a step that somebody else has made in between does not come out at that figure and is refused.
 */
import { readBalances } from "../ledger/balance.ts";
import { post } from "../ledger/post.ts";
import { add, larger, subtract } from "../money/arithmetic.ts";
import { type Kobo, nairaNumber, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { keysOf } from "../platform/keys-of.ts";
import { commonProblem } from "../platform/problem.ts";
import { claimReferences } from "../platform/records/reference-claims.ts";
import { lendingProblem } from "./errors.ts";
import {
  fundedOf,
  type LenderFunds,
  type LenderMovement,
  lenderAccounts,
  lenderPosting,
  withdrawableOf,
} from "./lender-movement.ts";
import { findLenderMovement, insertLenderMovement, sumApproved } from "./lender-movement-store.ts";

export type MoveLenderFunds = Omit<LenderMovement, "id" | "createdAt">;

const referenceKind = "lender_movements";

/**
 * Works inside the environment. The same reference and content again changes nothing and finds the first. Throws
 * reference_conflict, evidence_used, insufficient_funds, lender_funds_promised, lender_funds_differ.
 */
export async function moveLenderFunds(
  tx: Tx,
  command: MoveLenderFunds,
): Promise<{ readonly movement: LenderMovement; readonly replayed: boolean }> {
  const { clock } = tx.environment;
  const movement: LenderMovement = { ...command, id: clock.newId(), createdAt: clock.now() };
  const claim = { references: [movement.reference], recordId: movement.id };
  const [holder] = await claimReferences(tx, referenceKind, [claim]);
  const earlier = holder == null ? undefined : await findLenderMovement(tx, holder);
  if (earlier !== undefined) {
    refuseOther(earlier, command);
    return { movement: earlier, replayed: true };
  }
  const sameEvidence = await insertLenderMovement(tx, movement);
  if (sameEvidence !== null) {
    throw lendingProblem("evidence_used", { data: { reference: sameEvidence.reference } });
  }
  // Locks the funding account: from here on no loan takes or returns money, and no other operator moves any.
  await post(tx, lenderPosting(tx.environment.id, movement));
  refuseUnexpected(movement, await readLenderFunds(tx));
  return { movement, replayed: false };
}

/**
 * Approved loans are read before the money that is held for them: a payment that ends in between then counts as still
 * promised, never as neither.
 */
export async function readLenderFunds(tx: Tx): Promise<LenderFunds> {
  const approved = await sumApproved(tx);
  const ids = lenderAccounts(tx.environment.id);
  const balances = await readBalances(tx, Object.values(ids));
  const on = (id: string): Kobo => balances.get(id) ?? zeroKobo;
  const held = on(ids.held);
  const promised = larger(subtract(approved, held), zeroKobo);
  return { available: on(ids.available), held, lent: on(ids.lent), promised };
}

function refuseUnexpected(movement: LenderMovement, after: LenderFunds): void {
  const { direction, amount, fundedAfter } = movement;
  if (direction === "withdrawal" && after.available < after.promised) {
    const available = add(after.available, amount);
    const withdrawable = withdrawableOf({ available, promised: after.promised });
    throw lendingProblem("lender_funds_promised", {
      data: {
        available: nairaNumber(available),
        promised: nairaNumber(after.promised),
        withdrawable: nairaNumber(withdrawable),
      },
    });
  }
  const funded = fundedOf(after);
  if (funded === fundedAfter) return;
  throw lendingProblem("lender_funds_differ", {
    data: { fundedAfter: nairaNumber(funded), expected: nairaNumber(fundedAfter) },
  });
}

function refuseOther(earlier: LenderMovement, wanted: MoveLenderFunds): void {
  const fields = keysOf(wanted).filter((field) => earlier[field] !== wanted[field]);
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
}
