/**
 * Keeps an eye on connections: reads their balances, and asks a provider that takes no orders whether it does again.
 * Several workers may do so at once; it costs a few calls more and changes nothing.
 */
import { type Database, inEnvironment, operatorScope } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { GaugeSource } from "../../platform/metrics.ts";
import type { Connected } from "../provider.ts";
import { lookAt, recordLook } from "./connect-provider.ts";
import { type Connection, hasPassed } from "./connection.ts";
import type { ConnectionBook } from "./connection-book.ts";
import { recordFloat, recordHold } from "./connection-store.ts";

export interface WatchDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly connections: ConnectionBook;
}

const readFloatAfterMs = 5 * 60_000;
const checkAgainAfterMs = 5 * 60_000;

export async function watchConnections(deps: WatchDependencies, now: Date = new Date()): Promise<void> {
  for (const { id } of await deps.connections.list()) {
    const found = await deps.connections.find(id);
    if (found !== undefined && found.connection.state !== "retired") await watch(deps, found, now);
  }
}

interface Watched {
  readonly connection: Connection;
  readonly connected: Connected;
}

async function watch(deps: WatchDependencies, { connection, connected }: Watched, now: Date): Promise<void> {
  const { id, name, provider, hold, checksPassed, checkedAt, float } = connection;
  const olderThan = (moment: Date, ms: number) => now.getTime() - moment.getTime() >= ms;
  if ((hold !== null || !checksPassed) && olderThan(checkedAt, checkAgainAfterMs)) {
    const looked = await lookAt(connected);
    await inEnvironment(deps.db, operatorScope, (tx) => recordLook(tx, id, looked));
    await deps.connections.refresh();
    const passed = hasPassed(looked.checks);
    deps.log[passed ? "info" : "warn"]({ connectionId: id, name, provider, passed }, "a closed connection was checked");
    if (looked.float !== null) return;
  }
  if (connected.readFloat !== undefined && (float === null || olderThan(float.readAt, readFloatAfterMs))) {
    const reading = await connected.readFloat().catch(() => null);
    if (reading === null) return;
    await inEnvironment(deps.db, operatorScope, async (tx) => {
      if ("available" in reading) await recordFloat(tx, id, reading.available);
      else await recordHold(tx, id, reading);
    });
    await deps.connections.refresh();
  }
}

export function connectionGauges(connections: ConnectionBook): GaugeSource[] {
  const labelsOf = ({ id, provider, mode, name }: Connection) => ({ connection: id, provider, mode, name });
  const labelNames = ["connection", "provider", "mode", "name"];
  const inUse = async () => (await connections.list()).filter(({ state }) => state !== "retired");
  return [
    {
      name: "jara_connection_open",
      help: "1 when new orders may go to the connection; 0 when it is paused, held, failing or its checks failed.",
      labelNames,
      read: async () =>
        (await inUse()).map((connection) => {
          const { state, hold, checksPassed, id } = connection;
          const isOpen =
            state === "active" && hold === null && checksPassed && connections.health.of(id).state === "ok";
          return { labels: labelsOf(connection), value: isOpen ? 1 : 0 };
        }),
    },
    {
      name: "jara_connection_float_naira",
      help: "Our balance at the provider, as last read.",
      labelNames,
      read: async () =>
        (await inUse()).flatMap((connection) =>
          connection.float === null
            ? []
            : [{ labels: labelsOf(connection), value: Number(connection.float.available) / 100 }],
        ),
    },
  ];
}
