/** The tasks of checkout loans: the end of those that were not completed in time, and the payment of the approved. */
import { sql } from "kysely";
import { type Database, inEnvironment } from "../../platform/database.ts";
import type { TaskKind } from "../../platform/jobs.ts";
import type { SweepSource } from "../../platform/sweeper.ts";
import type { Rails } from "../../rails/registry.ts";
import { mostPayouts, runPayout } from "../../transfers/loan-payout.ts";
import { checkoutPayouts, disburseCheckoutLoan } from "./disburse-checkout-loan.ts";
import { expireWhenDue } from "./end-checkout-loan.ts";
import type { LoanFollowing } from "./loan-moved.ts";
import { disburseTask, expireTask } from "./tasks.ts";

export interface CheckoutLoanTaskDependencies extends LoanFollowing {
  readonly db: Database;
  readonly rails: Rails;
}

export const checkoutLoanTaskKinds = [expireTask, disburseTask] as const;

export function checkoutLoanTasks(deps: CheckoutLoanTaskDependencies): [string, TaskKind][] {
  const { db } = deps;
  const expire: TaskKind = {
    handle: ({ environmentId, subject }) => inEnvironment(db, environmentId, (tx) => expireWhenDue(tx, deps, subject)),
  };
  const disburse: TaskKind = {
    handle: ({ environmentId, subject }) =>
      runPayout({ db, environmentId, id: subject }, checkoutPayouts, (tx, id) => disburseCheckoutLoan(tx, deps, id)),
  };
  return [
    [expireTask, expire],
    [disburseTask, disburse],
  ];
}

export const checkoutLoanSweepSources: readonly SweepSource[] = [
  sweepSource("pending checkout loans", expireTask, false),
  sweepSource("approved checkout loans", disburseTask, true),
];

const lowest = "00000000-0000-0000-0000-000000000000";

function sweepSource(name: string, kind: string, approved: boolean): SweepSource {
  return {
    name,
    kind,
    find: async (db, after, atMost) => {
      const found = await sql<{ environment_id: string; id: string }>`
        select * from find_waiting_checkout_loans(${approved}, ${mostPayouts}, ${after?.environmentId ?? lowest}::uuid,
          ${after?.subject ?? lowest}::uuid, ${atMost})`.execute(db);
      return found.rows.map((row) => ({ environmentId: row.environment_id, subject: row.id }));
    },
  };
}
