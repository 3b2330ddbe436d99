/**
 * The agenda's part in deliveries. When a retry falls due, the task hands it to the workers and is done: neither a tick
 * nor an advance of a sandbox's clock waits for a receiver. The tries that an advance passed over follow at once.
 */

import { besideEnvironment, type Database, type Tx } from "../../platform/database/database.ts";
import { shareGate } from "../../platform/database/share-gate.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import type { SweepSource, SweptRecord } from "../../platform/work/sweeper.ts";
import type { DeliveryKey } from "../deliveries/delivery.ts";
import {
  findWaitingDeliveries,
  queueDeliveries,
  releaseLines,
  retryTask,
  subjectOf,
} from "../deliveries/delivery-store.ts";

export const webhookTaskKinds = [retryTask] as const;

export function webhookTasks(db: Database): [string, TaskKind][] {
  const again: TaskKind = {
    handle: ({ environmentId, subject }) => besideEnvironment(db, environmentId, (tx) => queueAgain(tx, [subject])),
    handleTogether: (tx, tasks) =>
      queueAgain(
        tx,
        tasks.map(({ subject }) => subject),
      ),
    takesNoPlace: true,
  };
  return [[retryTask, again]];
}

async function queueAgain(tx: Tx, subjects: readonly string[]): Promise<void> {
  await shareGate(tx);
  const lines = await queueDeliveries(tx, subjects.map(keyOf));
  // Normally nothing waits here; the sweeper also comes this way with one whose turn was missed.
  if (lines.length > 0) await releaseLines(tx, lines);
}

function keyOf(subject: string): DeliveryKey {
  const [eventId = "", endpointId = ""] = subject.split("/");
  return { eventId, endpointId };
}

export const webhookSweepSources: readonly SweepSource[] = [
  { name: "webhook deliveries", kind: retryTask, find: findStranded },
];

async function findStranded(db: Database, after: SweptRecord | undefined, atMost: number): Promise<SweptRecord[]> {
  const start = after === undefined ? undefined : { ...keyOf(after.subject), environmentId: after.environmentId };
  const found = await findWaitingDeliveries(db, start, atMost);
  return found.map((row) => ({ environmentId: row.environmentId, subject: subjectOf(row) }));
}
