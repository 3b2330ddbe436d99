/**
 * The composition root of work: which task kinds there are, who handles them, and what a worker process does besides:
 * ticking the agenda, sequencing events, looking after stopped clocks, sweeping and cleaning up.
 */
import { foldAccountDeltas } from "./ledger/fold-deltas.ts";
import type { GroupCommit } from "./ledger/group-commit.ts";
import { tick } from "./platform/agenda-ticker.ts";
import { type BackgroundLoop, startLoop } from "./platform/background-loop.ts";
import { type ClockControl, createClockControl } from "./platform/clock-control.ts";
import { createClockRepair } from "./platform/clock-repair.ts";
import type { Database } from "./platform/database.ts";
import type { EnvironmentLocks } from "./platform/environment-lock.ts";
import { purgeIdempotencyKeys } from "./platform/idempotency.ts";
import type { TaskKinds } from "./platform/jobs.ts";
import { startJobWorker } from "./platform/jobs-worker.ts";
import type { Logger } from "./platform/logger.ts";
import { createSequencer } from "./platform/sequencer.ts";
import { type SweepSource, sweep } from "./platform/sweeper.ts";

export interface TaskDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly locks: EnvironmentLocks;
  /** Moves money; one per process, shared with the API. */
  readonly groupCommit: GroupCommit;
}

export interface Tasks {
  readonly kinds: TaskKinds;
  readonly sweepSources: readonly SweepSource[];
  readonly clock: ClockControl;
}

export interface WorkerDependencies extends Omit<TaskDependencies, "groupCommit"> {
  readonly tasks: Pick<Tasks, "kinds" | "sweepSources">;
  /** For LISTEN: DATABASE_DIRECT_URL where there is one. */
  readonly directUrl: string;
  readonly role?: string;
  /** How long a stopping worker waits for jobs under way. */
  readonly graceMs: number;
}

export interface RunningWorker {
  stop(): Promise<void>;
}

/** Every kind needs its queue before anything is scheduled: `prepareJobs` is given this list at each start. */
export const taskKindNames: readonly string[] = [];

/** Each domain's kinds and sweep sources are added here, built from `deps`. */
export function createTasks(deps: TaskDependencies): Tasks {
  const kinds: TaskKinds = new Map();
  const sweepSources: readonly SweepSource[] = [];
  return { kinds, sweepSources, clock: createClockControl({ ...deps, kinds }) };
}

const sweepEveryMs = 30_000;
const repairEveryMs = 1_000;
const purgeEveryMs = 60_000;
const foldEveryMs = 1_000;

export async function startWorker(deps: WorkerDependencies): Promise<RunningWorker> {
  const { db, log, tasks } = deps;
  const kinds = tasks.kinds;
  const worker = await startJobWorker({
    db,
    log,
    kinds,
    url: deps.directUrl,
    ...(deps.role === undefined ? {} : { role: deps.role }),
  });
  const loops = startLoops(deps);
  return {
    stop: async () => {
      await Promise.all([worker.stop(deps.graceMs), ...loops.map((loop) => loop.stop())]);
    },
  };
}

function startLoops(deps: WorkerDependencies): BackgroundLoop[] {
  const { db, log, tasks } = deps;
  const kindNames = [...tasks.kinds.keys()];
  const repairClocks = createClockRepair({ ...deps, kinds: tasks.kinds });
  const every = (ms: number, work: () => Promise<unknown>) => async (): Promise<number> => {
    await work();
    return ms;
  };
  return [
    startLoop({ name: "agenda ticker", log, step: () => tick(db, kindNames) }),
    startLoop({ name: "event sequencer", log, step: createSequencer(db) }),
    startLoop({ name: "clock repair", log, step: every(repairEveryMs, repairClocks) }),
    startLoop({ name: "sweeper", log, step: every(sweepEveryMs, () => sweep(db, tasks.sweepSources, log)) }),
    startLoop({ name: "balance folder", log, step: every(foldEveryMs, () => foldAccountDeltas(db)) }),
    startLoop({ name: "reply purge", log, step: every(purgeEveryMs, () => purgeIdempotencyKeys(db)) }),
  ];
}
