/** What the page and the watch over incidents look at. */
import { type Database, operatorScope, readEnvironment } from "../platform/database/database.ts";
import type { QueueKinds } from "../platform/slice-description.ts";
import { readQueues } from "./queue-store.ts";
import type { Seen, SeenConnection } from "./status.ts";

export interface QueueDependencies {
  readonly db: Database;
  /** Of all slices. */
  readonly queues: QueueKinds;
}

export interface HouseDependencies extends QueueDependencies {
  readonly connections: {
    list(): Promise<readonly SeenConnection[]>;
    readonly health: { of(id: string): { readonly state: string } };
  };
}

export async function readHouse({
  db,
  connections,
  queues: kinds,
}: HouseDependencies): Promise<Omit<Seen, "incidents">> {
  const known = await connections.list();
  const { queues, now } = await readEnvironment(db, operatorScope, async (tx) => ({
    queues: await readQueues(tx, kinds),
    now: tx.environment.clock.now(),
  }));
  return {
    connections: known,
    isAnswering: (id) => connections.health.of(id).state === "ok",
    queues,
    now,
  };
}
