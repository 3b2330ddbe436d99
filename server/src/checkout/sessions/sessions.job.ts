/** What time does to sessions. */
import type { Database } from "../../platform/database/database.ts";
import { oneTransaction, type TaskKind } from "../../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../../platform/work/sweeper.ts";
import type { LoanFollowing } from "../loans/loan-moved.ts";
import { expireSessionTask } from "./checkout-session.ts";
import { expireSession } from "./expire-session.ts";

export const sessionTaskKinds = [expireSessionTask] as const;

export interface SessionTaskDependencies extends LoanFollowing {
  readonly db: Database;
}

export function sessionTasks(deps: SessionTaskDependencies): [string, TaskKind][] {
  return [[expireSessionTask, oneTransaction(deps.db, (tx, { subject }) => expireSession(tx, deps, subject))]];
}

export const sessionSweepSources: readonly SweepSource[] = [
  recordsById({ name: "open checkout sessions", kind: expireSessionTask }, "find_open_checkout_sessions"),
];
