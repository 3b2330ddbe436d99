import { cancelLoanAccount } from "../lending/decide-loan-account.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { cancelScheduled } from "../platform/work/agenda.ts";
import { announceLoan } from "./announce-loan.ts";
import { loanProblem } from "./errors.ts";
import type { LoanRequest } from "./loan-request.ts";
import { holdUndisbursed } from "./loan-store.ts";
import { requireLoan } from "./read-loan.ts";
import { decideTask, disburseTask } from "./tasks.ts";

/** Takes a request back as long as no money is on its way. Throws invalid_state or loan_being_disbursed. */
export async function cancelLoan(tx: Tx, sealer: Sealer, id: string): Promise<LoanRequest> {
  const held = await holdUndisbursed(tx, id);
  const loan = await requireLoan(tx, sealer, id);
  if (!held && loan.status === "approved") throw loanProblem("loan_being_disbursed");
  await cancelLoanAccount(tx, { accountId: loan.accountId, announce: announceLoan(sealer) });
  await cancelScheduled(tx, decideTask, [id]);
  await cancelScheduled(tx, disburseTask, [id]);
  return requireLoan(tx, sealer, id);
}
