/** The address of a loan's page: the one there is, or a new one. */
import { operatorScope, type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { type Origin, recordAudit } from "../../platform/records/audit.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { type CheckoutLoan, hasPlanPage } from "../loans/checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { newPageToken } from "../pages/page-token.ts";
import { type PlanPage, pageLifeMs } from "./plan-page.ts";
import { findCurrentPage, insertPlanPage, openPlanToken, replacePage } from "./plan-page-store.ts";

export interface PlanAddressing {
  readonly sealer: Sealer;
  /** Where browsers reach this server. */
  readonly publicUrl: string;
}

export interface PageOrder {
  readonly loanId: string;
  /** Another address although there is one that works: that one leads nowhere from now on. */
  readonly renew: boolean;
  readonly origin: Origin;
}

/** Throws checkout_loan_not_found, or invalid_state for a loan that was never paid out. */
export async function makePlanPage(
  tx: Tx,
  { sealer }: Pick<PlanAddressing, "sealer">,
  { loanId, renew, origin }: PageOrder,
): Promise<{ readonly page: PlanPage; readonly made: boolean }> {
  // Locks: the loan, so that of two who ask at once the second finds the first one's page.
  const loan = await requireCheckoutLoan(tx, loanId, { lock: true });
  refuseBeforePayout(loan);
  const now = tx.environment.clock.now();
  const current = await findCurrentPage(tx, loan.id);
  if (current !== undefined) {
    if (!renew && current.expiresAt > now) return { page: current, made: false };
    await replacePage(tx, current.id);
  }
  const page: PlanPage = {
    id: tx.environment.clock.newId(),
    loanId: loan.id,
    customerId: loan.customerId,
    createdAt: now,
    expiresAt: tx.environment.clock.after(pageLifeMs),
  };
  await insertPlanPage(tx, sealer, page, newPageToken());
  await audit(tx, origin, page, current !== undefined);
  return { page, made: true };
}

function refuseBeforePayout({ status }: CheckoutLoan): void {
  if (hasPlanPage(status)) return;
  throw commonProblem("invalid_state", {
    message: `The loan is ${status}; it has a page once it is paid out.`,
    data: { status },
  });
}

/** The trail is the operator's. It says who made an address and when, never what opens it. */
async function audit(tx: Tx, origin: Origin, page: PlanPage, replaced: boolean): Promise<void> {
  const { id: environmentId } = tx.environment;
  const detail = { pageId: page.id, replaced, expiresAt: page.expiresAt.toISOString() };
  await visitEnvironment(tx, operatorScope, (inside) =>
    recordAudit(inside, origin, {
      action: "plan-page.make",
      subjectType: "checkout_loan",
      subjectId: page.loanId,
      environmentId,
      detail,
    }),
  );
}

/** Where the customer opens the page. */
export async function planAddress(tx: Tx, { sealer, publicUrl }: PlanAddressing, pageId: string): Promise<string> {
  return `${publicUrl}/plans/${pageId}#${await openPlanToken(tx, sealer, pageId)}`;
}
