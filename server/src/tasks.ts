/**
 * The composition root of work: which task kinds there are, who handles them, and what a worker process does besides:
 * ticking the agenda, sequencing events, looking after stopped clocks, sweeping and cleaning up.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createBillSender } from "./bills/send-bills.job.ts";
import { reverseByRequest } from "./bills/steer-bill.ts";
import { billSweepSources, billTaskKinds, billTasks } from "./bills/take-up-bill.job.ts";
import { checkoutSweepSources, checkoutTaskKinds, checkoutTasks } from "./checkout/checkout.job.ts";
import { foldAccountDeltas } from "./ledger/fold-deltas.ts";
import type { GroupCommit } from "./ledger/group-commit.ts";
import { lendingSweepSources, lendingTaskKinds, lendingTasks } from "./lending/age-loan.job.ts";
import { loanOwners } from "./loan-owners.ts";
import { loanSweepSources, loanTaskKinds, loanTasks } from "./loans/loans.job.ts";
import type { OpenRails } from "./open-rails.ts";
import { owedKinds } from "./owed-kinds.ts";
import type { Database } from "./platform/database/database.ts";
import type { Logger } from "./platform/logger.ts";
import { purgeIdempotencyKeys } from "./platform/records/idempotency.ts";
import { createSequencer } from "./platform/records/sequencer.ts";
import type { Sealer } from "./platform/secrets/crypto.ts";
import { type ClockControl, createClockControl } from "./platform/time/clock-control.ts";
import { createClockRepair } from "./platform/time/clock-repair.ts";
import type { EnvironmentLocks } from "./platform/time/environment-lock.ts";
import { tick } from "./platform/work/agenda-ticker.ts";
import { type BackgroundLoop, startLoop } from "./platform/work/background-loop.ts";
import type { TaskKinds } from "./platform/work/jobs.ts";
import { startJobWorker } from "./platform/work/jobs-worker.ts";
import { type SweepSource, sweep } from "./platform/work/sweeper.ts";
import { reportOwed } from "./rails/owed-outcomes.ts";
import { reversalKind, reversalTask } from "./sandbox/bank/reverse-payment.ts";
import { vendReversalKind, vendReversalTask } from "./sandbox/biller/reverse-vend.ts";
import { createTransferSender } from "./transfers/send-transfers.job.ts";
import { type ReversalDependencies, reverseBySession } from "./transfers/steer-transfer.ts";
import { transferSweepSources, transferTaskKinds, transferTasks } from "./transfers/take-up-transfer.job.ts";
import type { WebhookReach } from "./webhooks/reachable-address.ts";
import { webhookSweepSources, webhookTaskKinds, webhookTasks } from "./webhooks/retry-webhooks.job.ts";
import { createWebhookSender } from "./webhooks/send-webhooks.job.ts";
import { createWebhookClient } from "./webhooks/webhook-client.ts";

export interface TaskDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly locks: EnvironmentLocks;
  /** Moves money; one per process, shared with the API. */
  readonly groupCommit: GroupCommit;
  readonly rails: Omit<OpenRails, "close">;
  readonly sealer: Sealer;
  /** Blocks of addresses that the operator opened to webhooks. */
  readonly webhookReach: WebhookReach;
  /** Where browsers reach the API: messages to customers have addresses in them. */
  readonly publicUrl: string;
}

/** A domain's own loop: `step` answers how many milliseconds to rest. */
interface DomainLoop {
  readonly name: string;
  step(): Promise<number>;
  /** Resolves when nothing that a step began is under way any more. */
  drain?(): Promise<void>;
  /** Lets go of what is still under way when the grace is over. */
  close?(): Promise<void>;
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

/** Every kind needs its queue before anything is scheduled: `prepareJobs` is given this list at each start. */
export const taskKindNames: readonly string[] = [
  ...transferTaskKinds,
  ...billTaskKinds,
  ...loanTaskKinds,
  ...lendingTaskKinds,
  ...checkoutTaskKinds,
  reversalTask,
  vendReversalTask,
  ...webhookTaskKinds,
];

/** Each domain's kinds, sweep sources and loops are added here, built from `deps`. */
export function createTasks(deps: TaskDependencies): Tasks {
  const { db, log, groupCommit, rails, sealer } = deps;
  const { announce, disbursementSettled } = loanOwners(sealer);
  const sending = { db, log, groupCommit, rails: rails.rails, disbursementSettled };
  const kinds: TaskKinds = new Map([
    ...transferTasks(sending),
    ...billTasks(sending),
    ...reversalTasks(deps, sending),
    ...loanTasks({ db, sealer, rails: rails.rails }),
    ...lendingTasks({ db, announce }),
    ...checkoutTasks({ db, sealer, log, rails: rails.rails, announce, publicUrl: deps.publicUrl }),
    ...webhookTasks(db),
  ]);
  const client = createWebhookClient({ reach: deps.webhookReach });
  const webhooks = createWebhookSender({ db, log, sealer, client });
  const loops: readonly DomainLoop[] = [
    ...senders(sending),
    { name: "webhook sender", step: webhooks.round, drain: webhooks.drain, close: webhooks.close },
    { name: "owed outcomes", step: every(reportEveryMs, () => reportOwed(db, log, owedKinds)) },
  ];
  const sweepSources = [
    ...transferSweepSources,
    ...billSweepSources,
    ...loanSweepSources,
    ...lendingSweepSources,
    ...checkoutSweepSources,
    ...webhookSweepSources,
  ];
  return { kinds, sweepSources, loops, clock: createClockControl({ ...deps, kinds }) };
}

/** Live environments have senders of their own, so that no sandbox's work comes before theirs. */
function senders(sending: Parameters<typeof createTransferSender>[0] & Parameters<typeof createBillSender>[0]) {
  return (["LIVE", "SANDBOX"] as const).flatMap((kind): DomainLoop[] => {
    const [transfers, bills] = [createTransferSender(sending, kind), createBillSender(sending, kind)];
    return [
      { name: `transfer sender ${kind}`, step: transfers.round, drain: transfers.drain },
      { name: `bill sender ${kind}`, step: bills.round, drain: bills.drain },
    ];
  });
}

/** Simulated rails that take back what they did: they exist in sandboxes only. */
function reversalTasks({ db, rails }: TaskDependencies, sending: ReversalDependencies) {
  const payments = reversalKind({
    db,
    reverse: rails.simulatedBank.reverse,
    takeReversal: (notice) => reverseBySession(sending, notice),
  });
  const vends = vendReversalKind({
    db,
    reverse: rails.simulatedBiller.reverse,
    takeReversal: (notice) => reverseByRequest(sending, notice),
  });
  return [[reversalTask, payments] as const, [vendReversalTask, vends] as const];
}

const sweepEveryMs = 30_000;
const sweepIdleSeconds = 60;
const repairEveryMs = 1_000;
const purgeEveryMs = 60_000;
const foldEveryMs = 1_000;
const reportEveryMs = 60_000;

function every(ms: number, work: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    await work();
    return ms;
  };
}

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
      step: every(sweepEveryMs, () => sweep(db, tasks.sweepSources, log, { idleSeconds: sweepIdleSeconds })),
    }),
    startLoop({ name: "balance folder", log, step: every(foldEveryMs, () => foldAccountDeltas(db)) }),
    ...tasks.loops.map(({ name, step }) => startLoop({ name, log, step })),
    startLoop({ name: "reply purge", log, step: every(purgeEveryMs, () => purgeIdempotencyKeys(db)) }),
  ];
}
