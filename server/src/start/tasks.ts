/**
 * The composition root of work: what the slices do later, and what a worker process does besides: ticking the agenda,
 * sequencing events, looking after stopped clocks, sweeping and cleaning up.
 */
import { setTimeout as pause } from "node:timers/promises";
import { purgeIdempotencyKeys } from "../platform/records/idempotency.ts";
import { createSequencer } from "../platform/records/sequencer.ts";
import { type ClockControl, createClockControl } from "../platform/time/clock-control.ts";
import { createClockRepair } from "../platform/time/clock-repair.ts";
import type { EnvironmentLocks } from "../platform/time/environment-lock.ts";
import { tick } from "../platform/work/agenda-ticker.ts";
import { type BackgroundLoop, type DomainLoop, every, startLoop } from "../platform/work/background-loop.ts";
import { bringForward } from "../platform/work/bring-forward.ts";
import type { TaskKinds } from "../platform/work/jobs.ts";
import { startJobWorker } from "../platform/work/jobs-worker.ts";
import { type SweepSource, sweep } from "../platform/work/sweeper.ts";
import { type Parts, workNeeds } from "./slice-needs.ts";
import { type JaraHouse, house as ourHouse } from "./slices.ts";

export interface TaskDependencies extends Parts {
  readonly locks: EnvironmentLocks;
  /** All slices that there are, unless a test adds one. */
  readonly house?: JaraHouse;
}

export interface Tasks {
  readonly kinds: TaskKinds;
  readonly sweepSources: readonly SweepSource[];
  readonly loops: readonly DomainLoop[];
  readonly clock: ClockControl;
}

export interface WorkerDependencies extends Pick<TaskDependencies, "db" | "log" | "locks"> {
  readonly tasks: Omit<Tasks, "clock">;
  /** For LISTEN: DATABASE_DIRECT_URL where there is one. */
  readonly directUrl: string;
  readonly role?: string;
  /** How long a stopping worker waits for jobs under way. */
  readonly graceMs: number;
}

export interface RunningWorker {
  stop(): Promise<void>;
}

export function createTasks({ locks, house = ourHouse, ...parts }: TaskDependencies): Tasks {
  const needs = workNeeds(parts, house);
  const kinds = house.tasks(needs);
  const { db, log } = parts;
  return {
    kinds,
    sweepSources: house.sweepSources,
    loops: house.loops(needs),
    clock: createClockControl({ db, log, locks, kinds }),
  };
}

const sweepEveryMs = 30_000;
const sweepIdleSeconds = 60;
const repairEveryMs = 1_000;
const purgeEveryMs = 60_000;

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
      // What a bank does not answer within the grace comes back with its lease.
      const drained = Promise.all(tasks.loops.map((loop) => loop.drain?.()));
      await Promise.race([drained, pause(deps.graceMs, undefined, { ref: false })]);
      await Promise.all(tasks.loops.map((loop) => loop.close?.()));
    },
  };
}

function startLoops(deps: WorkerDependencies): BackgroundLoop[] {
  const { db, log, tasks } = deps;
  const kindNames = [...tasks.kinds.keys()];
  const repairClocks = createClockRepair({ ...deps, kinds: tasks.kinds });
  return [
    startLoop({ name: "agenda ticker", log, step: () => tick(db, kindNames) }),
    startLoop({ name: "event sequencer", log, step: createSequencer(db) }),
    startLoop({ name: "clock repair", log, step: every(repairEveryMs, repairClocks) }),
    startLoop({
      name: "sweeper",
      log,
      step: every(sweepEveryMs, async () => {
        await bringForward(db, log);
        await sweep(db, tasks.sweepSources, log, { idleSeconds: sweepIdleSeconds });
      }),
    }),
    ...tasks.loops.map(({ name, step }) => startLoop({ name, log, step })),
    startLoop({ name: "reply purge", log, step: every(purgeEveryMs, () => purgeIdempotencyKeys(db)) }),
  ];
}
