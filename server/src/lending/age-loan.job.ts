/** The task of lending: looking at a loan when its next due date or the end of a grace has come. */
import { type Database, inEnvironment } from "../platform/database/database.ts";
import type { TaskKind } from "../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../platform/work/sweeper.ts";
import { ageLoans } from "./age-loans.ts";
import { ageTask } from "./change-loan.ts";
import type { Announce } from "./loan-account.ts";

export const lendingTaskKinds = [ageTask] as const;

export interface AgeingDependencies {
  readonly db: Database;
  /** Finds the owner by `account.owner.kind`. */
  readonly announce: Announce;
}

export function lendingTasks({ db, announce }: AgeingDependencies): [string, TaskKind][] {
  const task: TaskKind = {
    handle: ({ environmentId, subject }) =>
      inEnvironment(db, environmentId, (tx) => ageLoans(tx, [{ subject, within: (work) => work() }], announce)),
    handleTogether: (tx, tasks, run) => ageLoans(tx, tasks, announce, run),
  };
  return [[ageTask, task]];
}

export const lendingSweepSources: readonly SweepSource[] = [
  recordsById({ name: "loans that fall due", kind: ageTask }, "find_ageing_loan_accounts"),
];
