/** Opens the standbys of JARA_REPLICA_URLS for reading, and shows how they do. */

import { createDatabase, createPool, type Database } from "../platform/database/database.ts";
import { attachReplicas, replicaStates } from "../platform/database/replicas.ts";
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import type { Config } from "./config.ts";
import { describe, type OpenDatabase, withLoginOf } from "./open-database.ts";

interface Places {
  readonly config: Pick<Config, "replicaUrls" | "poolSize">;
  readonly database: Pick<OpenDatabase, "appUrl" | "role" | "preparedStatements">;
  readonly db: Database;
  readonly log: Logger;
}

/** Nothing is connected before the first reading: a standby that is down keeps no server from starting. */
export function openReplicas({ config, database, db, log }: Places): () => Promise<void> {
  const { poolSize } = config;
  const { preparedStatements } = database;
  const replicas = config.replicaUrls.map((given) => {
    const url = new URL(given).username === "" ? withLoginOf(database.appUrl, given) : given;
    const name = describe(url);
    const pool = createPool({
      url,
      poolSize,
      preparedStatements,
      ...(database.role === undefined ? {} : { role: database.role }),
      onError: (error) => log.warn({ err: error, replica: name }, "a connection to a replica was lost"),
    });
    return { name, db: createDatabase(pool) };
  });
  attachReplicas(db, replicas, {
    onTrouble: (replica, reason) => {
      const why = reason instanceof Error ? { err: reason } : { reason };
      log.warn({ replica, ...why }, "a replica is passed over, the primary serves its readings");
    },
  });
  return async () => {
    await Promise.all(replicas.map((replica) => replica.db.destroy()));
  };
}

export function replicaGauges(db: Database): GaugeSource[] {
  return [
    {
      name: "jara_replica_serving",
      help: "1 for a replica that serves readings, 0 for one that is passed over or was never asked.",
      labelNames: ["replica"],
      read: () => replicaStates(db).map(({ name, serves }) => ({ labels: { replica: name }, value: serves ? 1 : 0 })),
    },
    {
      name: "jara_replica_behind_bytes",
      help: "How far a replica was behind the primary's log when a reading last asked for it.",
      labelNames: ["replica"],
      read: () =>
        replicaStates(db).flatMap(({ name, behindBytes }) =>
          behindBytes === null ? [] : [{ labels: { replica: name }, value: behindBytes }],
        ),
    },
  ];
}
