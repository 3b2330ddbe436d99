/** The decision about a request. A sandbox makes it by itself; elsewhere somebody does, by an operator's endpoint. */
import { approveLoanAccount, rejectLoanAccount } from "../lending/decide-loan-account.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { cancelScheduled } from "../platform/work/agenda.ts";
import { bookDisbursement } from "../transfers/disbursement.ts";
import { announceLoan } from "./announce-loan.ts";
import { believeApplicant } from "./applicant-store.ts";
import { loanDisbursements } from "./disburse-loan.ts";
import type { LoanRequest } from "./loan-request.ts";
import { findLoan } from "./loan-store.ts";
import { findHome, requireLoan } from "./read-loan.ts";
import { decideTask } from "./tasks.ts";

/** Grants the loan and has it paid out: at once, or in a sandbox a little later. Throws invalid_state. */
export async function approveLoan(tx: Tx, sealer: Sealer, id: string): Promise<LoanRequest> {
  const loan = await requireLoan(tx, sealer, id);
  await believeApplicant(tx, sealer, { applicantId: loan.applicant.id, requestId: id });
  await approveLoanAccount(tx, { accountId: loan.accountId, announce: announceLoan(sealer) });
  await cancelScheduled(tx, decideTask, [id]);
  await bookDisbursement(tx, loanDisbursements, id, (await findHome(tx)).kind);
  return requireLoan(tx, sealer, id);
}

/** Throws invalid_state. */
export async function rejectLoan(tx: Tx, sealer: Sealer, id: string): Promise<LoanRequest> {
  const loan = await requireLoan(tx, sealer, id);
  await rejectLoanAccount(tx, { accountId: loan.accountId, announce: announceLoan(sealer) });
  await cancelScheduled(tx, decideTask, [id]);
  return requireLoan(tx, sealer, id);
}

/** BVNs with this ending are refused by every sandbox, so that merchants can see it happen. */
export const refusedBvnEnding = "0000";

/** A sandbox's own decision. A request that somebody has decided already stays as it is. */
export async function decideInSandbox(tx: Tx, sealer: Sealer, id: string): Promise<void> {
  const loan = await findLoan(tx, sealer, id);
  if (loan?.status !== "pending") return;
  await (loan.applicant.bvn.endsWith(refusedBvnEnding) ? rejectLoan : approveLoan)(tx, sealer, id);
}
