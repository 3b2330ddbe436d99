/** The tasks of loans: who holds the account, a sandbox's decision, and the payment of what was approved. */
import type { TaskKind } from "../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../platform/work/sweeper.ts";
import { mostDisbursements, runDisbursement } from "../transfers/payouts/disbursement.ts";
import { type DecidingDependencies, decideInSandbox } from "./decide-loan.ts";
import { disburseLoan, loanDisbursements } from "./disburse-loan.ts";
import { type NamingDependencies, nameApplicantAccount } from "./name-account.ts";
import { decideTask, disburseTask, nameTask } from "./tasks.ts";

export const loanTaskKinds = [nameTask, decideTask, disburseTask] as const;

export function loanTasks(deps: NamingDependencies & DecidingDependencies): [string, TaskKind][] {
  const { db } = deps;
  const name: TaskKind = {
    pace: "slow",
    handle: ({ environmentId, subject, payload }) =>
      nameApplicantAccount(deps, { environmentId, id: subject, failures: Number(payload["failures"] ?? 0) }),
  };
  const decide: TaskKind = {
    pace: "slow",
    handle: ({ environmentId, subject, payload }) =>
      decideInSandbox(deps, { environmentId, id: subject, failures: Number(payload["failures"] ?? 0) }),
  };
  const disburse: TaskKind = {
    handle: ({ environmentId, subject }) =>
      runDisbursement({ db, environmentId, id: subject }, loanDisbursements, (tx, id) => disburseLoan(tx, deps, id)),
  };
  return [
    [nameTask, name],
    [decideTask, decide],
    [disburseTask, disburse],
  ];
}

export const loanSweepSources: readonly SweepSource[] = [
  sweepSource("undecided loans of sandboxes", decideTask, "pending"),
  sweepSource("approved loans", disburseTask, "approved"),
];

function sweepSource(name: string, kind: string, status: "pending" | "approved"): SweepSource {
  return recordsById({ name, kind }, "find_waiting_loans", status, mostDisbursements);
}
