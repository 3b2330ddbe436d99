import { operatorScope, readEnvironment } from "../platform/database/database.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { rememberFor } from "../platform/remember.ts";
import { readClockAhead } from "./beat.ts";
import { isAlive } from "./process.ts";
import { listProcesses, listStandbys } from "./process-store.ts";
import { readQueues } from "./queue-store.ts";
import type { QueueDependencies } from "./read-house.ts";

/** So that two figures of one page come from one reading, and a hasty reader costs the database nothing. */
const freshMs = 2_000;

export function queueGauges({ db, queues: kinds }: QueueDependencies): GaugeSource[] {
  const queues = rememberFor(freshMs, () => readEnvironment(db, operatorScope, (tx) => readQueues(tx, kinds)));
  const standbys = rememberFor(freshMs, () => readEnvironment(db, operatorScope, listStandbys));
  return [
    {
      name: "jara_queue_depth",
      help: "Work that is due and not taken up, by kind and kind of environment; counted up to 100000.",
      labelNames: ["kind", "environment"],
      read: async () =>
        (await queues()).map(({ kind, environment, depth }) => ({ labels: { kind, environment }, value: depth })),
    },
    {
      name: "jara_queue_oldest_seconds",
      help: "How long the oldest entry of a queue has waited; 0 while nothing waits.",
      labelNames: ["kind", "environment"],
      read: async () =>
        (await queues()).map(({ kind, environment, oldestSeconds }) => ({
          labels: { kind, environment },
          value: oldestSeconds,
        })),
    },
    {
      name: "jara_processes",
      help: "Servers and workers of this database that said within the last 35 seconds that they live.",
      labelNames: ["role", "version"],
      read: async () => {
        const alive = (await readEnvironment(db, operatorScope, listProcesses)).filter(isAlive);
        const groups = Map.groupBy(alive, ({ role, version }) => `${role} ${version}`);
        return [...groups.values()].flatMap(([first, ...rest]) =>
          first === undefined ? [] : [{ labels: { role: first.role, version: first.version }, value: rest.length + 1 }],
        );
      },
    },
    {
      name: "jara_clock_ahead_seconds",
      help: "Seconds by which this machine's clock is before PostgreSQL's; behind is negative.",
      labelNames: [],
      read: async () => [{ labels: {}, value: await readClockAhead(db) }],
    },
    {
      name: "jara_replication_lag_bytes",
      help: "How far each standby that has a slot is behind, in bytes of the log.",
      labelNames: ["standby"],
      read: async () =>
        (await standbys()).map(({ name, behindBytes }) => ({ labels: { standby: name }, value: behindBytes })),
    },
    {
      name: "jara_replication_lag_seconds",
      help: "How far each standby is behind, where our login may read all statistics (pg_read_all_stats).",
      labelNames: ["standby"],
      read: async () =>
        (await standbys()).flatMap(({ name, behindSeconds }) =>
          behindSeconds === null ? [] : [{ labels: { standby: name }, value: behindSeconds }],
        ),
    },
  ];
}
