/** What the page and the watch over incidents look at. */
import { type Database, operatorScope, timeIn } from "../platform/database/database.ts";
import { readAllQueues } from "./queue-store.ts";
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
  const [queues, now] = await Promise.all([readAllQueues(db), timeIn(db, operatorScope)]);
  return {
    connections: known,
    isAnswering: (id) => connections.health.of(id).state === "ok",
    queues,
    now,
  };
}
