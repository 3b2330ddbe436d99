/** The tasks of checkout loans: the end of those that were not completed in time, and the payment of the approved. */
import type { Database } from "../../platform/database/database.ts";
import { oneTransaction, type TaskKind } from "../../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../../platform/work/sweeper.ts";
import type { BankRails } from "../../rails/desk.ts";
import { mostDisbursements, runDisbursement } from "../../transfers/payouts/disbursement.ts";
import { checkoutDisbursements, disburseCheckoutLoan } from "./disburse-checkout-loan.ts";
import { expireWhenDue } from "./end-checkout-loan.ts";
import type { LoanFollowing } from "./loan-moved.ts";
import { disburseTask, expireTask } from "./tasks.ts";

export interface CheckoutLoanTaskDependencies extends LoanFollowing {
  readonly db: Database;
  readonly rails: BankRails;
}

export const checkoutLoanTaskKinds = [expireTask, disburseTask] as const;

export function checkoutLoanTasks(deps: CheckoutLoanTaskDependencies): [string, TaskKind][] {
  const { db } = deps;
  const expire = oneTransaction(db, (tx, { subject }) => expireWhenDue(tx, deps, subject));
  const disburse: TaskKind = {
    handle: ({ environmentId, subject }) =>
      runDisbursement({ db, environmentId, id: subject }, checkoutDisbursements, (tx, id) =>
        disburseCheckoutLoan(tx, deps, id),
      ),
  };
  return [
    [expireTask, expire],
    [disburseTask, disburse],
  ];
}

export const checkoutLoanSweepSources: readonly SweepSource[] = [
  waiting({ name: "pending checkout loans", kind: expireTask }, false),
  waiting({ name: "approved checkout loans", kind: disburseTask }, true),
];

function waiting(source: Pick<SweepSource, "name" | "kind">, approved: boolean): SweepSource {
  return recordsById(source, "find_waiting_checkout_loans", approved, mostDisbursements);
}
