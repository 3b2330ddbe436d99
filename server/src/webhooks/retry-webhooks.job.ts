/**
 * The agenda's part in deliveries. When a retry falls due, the task hands it to the workers and is done: neither a tick
 * nor an advance of a sandbox's clock waits for a receiver. The tries that an advance passed over follow at once.
 */
import { sql } from "kysely";
import { type Database, inEnvironment, operatorScope } from "../platform/database/database.ts";
import type { TaskKind } from "../platform/work/jobs.ts";
import type { SweepSource, SweptRecord } from "../platform/work/sweeper.ts";
import type { DeliveryKey } from "./delivery.ts";
import { findResource, queueDelivery, releaseLines, retryTask, shareGate, subjectOf } from "./delivery-store.ts";

export const webhookTaskKinds = [retryTask] as const;

export function webhookTasks(db: Database): [string, TaskKind][] {
  return [[retryTask, { handle: ({ environmentId, subject }) => queueAgain(db, environmentId, keyOf(subject)) }]];
}

/** No write of the sandbox's own: it takes no place in a frozen sandbox's order of writes. */
function queueAgain(db: Database, environmentId: string, key: DeliveryKey): Promise<void> {
  return inEnvironment(
    db,
    environmentId,
    async (tx) => {
      await shareGate(tx);
      await queueDelivery(tx, key);
      const resourceId = await findResource(tx, key);
      // Normally nothing waits here; the sweeper also comes this way with one whose turn was missed.
      if (resourceId !== undefined) await releaseLines(tx, [{ environmentId, resourceId, ...key }]);
    },
    { readOnly: true },
  );
}

function keyOf(subject: string): DeliveryKey {
  const [eventId = "", endpointId = ""] = subject.split("/");
  return { eventId, endpointId };
}

export const webhookSweepSources: readonly SweepSource[] = [
  { name: "webhook deliveries", kind: retryTask, find: findStranded },
];

async function findStranded(
  db: Database,
  after: SweptRecord | undefined,
  atMost: number,
): Promise<readonly SweptRecord[]> {
  const { eventId, endpointId } =
    after === undefined ? { eventId: operatorScope, endpointId: operatorScope } : keyOf(after.subject);
  const found = await sql<DeliveryKey & { environmentId: string }>`
    select environment_id as "environmentId", event_id as "eventId", endpoint_id as "endpointId"
    from find_waiting_webhook_deliveries(${after?.environmentId ?? operatorScope}::uuid, ${eventId}::uuid,
      ${endpointId}::uuid, ${atMost})`.execute(db);
  return found.rows.map((row) => ({ environmentId: row.environmentId, subject: subjectOf(row) }));
}
