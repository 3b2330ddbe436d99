/** What the page and the watch over incidents look at. */
import { type Database, operatorScope, readEnvironment } from "../platform/database/database.ts";
import { readQueues } from "./queue-store.ts";
import type { Seen, SeenConnection } from "./status.ts";

export interface HouseDependencies {
  readonly db: Database;
  readonly connections: {
    list(): Promise<readonly SeenConnection[]>;
    readonly health: { of(id: string): { readonly state: string } };
  };
}

export async function readHouse({ db, connections }: HouseDependencies): Promise<Omit<Seen, "incidents">> {
  const known = await connections.list();
  const { queues, now } = await readEnvironment(db, operatorScope, async (tx) => ({
    queues: await readQueues(tx),
    now: tx.environment.clock.now(),
  }));
  return {
    connections: known,
    isAnswering: (id) => connections.health.of(id).state === "ok",
    queues,
    now,
  };
}
