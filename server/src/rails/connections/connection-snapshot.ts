/**
 * The connections and routes at hand in this process. Whoever asks gets what is at hand, at once, also inside a
 * transaction: waiting there for a connection of the pool could wait for itself. What is older than a second is read
 * again beside.
 */
import { type Database, operatorScope, readEnvironment } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { RouteList } from "./choose-connection.ts";
import type { Connection } from "./connection.ts";
import { listConnections, listRoutes } from "./connection-store.ts";

export interface Snapshot {
  readonly connections: ReadonlyMap<string, Connection>;
  readonly routes: readonly RouteList[];
}

export interface SnapshotKeeper {
  /** Waits only when nothing was ever read. */
  current(): Promise<Snapshot>;
  /** Reads the database now. */
  refresh(): Promise<Snapshot>;
}

const freshForMs = 1_000;

export function createSnapshotKeeper({ db, log }: { readonly db: Database; readonly log: Logger }): SnapshotKeeper {
  let known: Snapshot | undefined;
  let readAt = 0;
  let reading: Promise<Snapshot> | undefined;

  const refresh = (): Promise<Snapshot> => {
    const begun = read(db).then((snapshot) => {
      known = snapshot;
      return snapshot;
    });
    readAt = performance.now();
    reading = begun;
    return begun.finally(() => {
      if (reading === begun) reading = undefined;
    });
  };

  return {
    refresh,
    current: async () => {
      if (known === undefined) return reading ?? refresh();
      if (reading === undefined && performance.now() - readAt >= freshForMs) {
        refresh().catch((error: unknown) => log.warn({ err: error }, "connections could not be read again"));
      }
      return known;
    },
  };
}

function read(db: Database): Promise<Snapshot> {
  return readEnvironment(db, operatorScope, async (tx) => {
    const connections = await listConnections(tx);
    return { connections: new Map(connections.map((one) => [one.id, one])), routes: await listRoutes(tx) };
  });
}
