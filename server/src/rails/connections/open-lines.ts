/** The open lines to providers: a connection's rails, within their time limits, with an ear on what they say. */
import { type Database, inEnvironment, operatorScope } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { Hold, RailTrace } from "../answer.ts";
import type { Connected, Port, PortRails, Provider } from "../provider.ts";
import { withTimeLimits } from "../time-limits.ts";
import { ports as allPorts, type Connection } from "./connection.ts";
import { recordHold } from "./connection-store.ts";
import { openCredentials } from "./credentials.ts";
import type { CallHealth } from "./health.ts";
import { recordTrace } from "./trace-store.ts";

export interface LineOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  readonly providers: readonly Provider[];
  readonly health: CallHealth;
  /** A connection was closed: what is remembered of it no longer holds. */
  refresh(): Promise<void>;
}

export interface Lines {
  connectedTo(connection: Connection): Connected;
  railOf<P extends Port>(connection: Connection, port: P): PortRails[P] | undefined;
  close(): Promise<void>;
}

/** New credentials open a new line. */
export function createLines({ db, sealer, log, providers, health, refresh }: LineOptions): Lines {
  const open = new Map<string, { readonly version: number; readonly connected: Connected }>();

  function connectedTo(connection: Connection): Connected {
    const { id, provider: name, mode, baseUrl, version } = connection;
    const known = open.get(id);
    if (known?.version === version) return known.connected;
    const provider = providers.find((one) => one.name === name);
    if (provider === undefined) throw new Error(`connection ${id} is at ${name}, which this version does not know`);
    const credentials = openCredentials(sealer, id, connection.sealedCredentials);
    const onCall = (answered: boolean) => health.record(id, answered);
    const connected = provider.connect({ connectionId: id, mode, baseUrl, credentials, onCall });
    const watched = watchedPorts(connection, connected);
    open.set(id, { version, connected: watched });
    // Calls under way end on the old line.
    return watched;
  }

  function watchedPorts({ id, ports }: Connection, connected: Connected): Connected {
    const rails = ports.flatMap((port) => {
      const rail = connected[port];
      if (rail === undefined) return [];
      const onError = (error: unknown) => log.warn({ err: error, connectionId: id, port }, "a provider call failed");
      return [[port, watchRail(withTimeLimits(port, rail, onError), (said) => take(id, port, said))] as const];
    });
    const unserved = Object.fromEntries(allPorts.map((port) => [port, undefined]));
    return { ...connected, ...unserved, ...Object.fromEntries(rails) };
  }

  async function take(connectionId: string, port: Port, said: RailNotice): Promise<void> {
    const { hold, alarm, trace, environmentId, orderId } = said;
    const about = { connectionId, port, orderId, environmentId };
    try {
      if (alarm !== undefined) log.error({ ...about, alarm }, "a provider's answer does not fit our order");
      if (hold !== undefined) {
        const isNew = await inEnvironment(db, operatorScope, (tx) => recordHold(tx, connectionId, hold));
        if (isNew) log.error({ ...about, hold }, "a provider takes no orders until an operator has mended it");
        await refresh();
      }
      if (trace !== undefined && environmentId !== undefined && orderId !== undefined) {
        await inEnvironment(db, environmentId, (tx) => recordTrace(tx, { connectionId, port, orderId }, trace));
      }
    } catch (error) {
      // The answer itself matters more than what it said besides.
      log.warn({ ...about, err: error }, "what a provider said about itself was not kept");
    }
  }

  return {
    connectedTo,
    railOf: <P extends Port>(connection: Connection, port: P) =>
      connectedTo(connection)[port] as PortRails[P] | undefined,
    close: async () => {
      await Promise.all([...open.values()].map(({ connected }) => connected.close?.()));
    },
  };
}

/**
 * Listens to what a connection's rail says: a hold closes the connection, an alarm is told, and what an order can be
 * traced by is kept. The answer goes on unchanged, after that was written down.
 */
export interface RailNotice {
  readonly hold?: Hold;
  readonly alarm?: string;
  readonly trace?: RailTrace;
  /** The environment and id of the order that the call was about, where it was about one. */
  readonly environmentId: string | undefined;
  readonly orderId: string | undefined;
}

const orderIds = ["sessionId", "requestId", "refundId", "chargeId", "linkId", "messageId"] as const;

export function watchRail<Rail extends object>(rail: Rail, notice: (said: RailNotice) => Promise<void>): Rail {
  const watched = Object.entries(rail).map(([name, value]: [string, unknown]) => {
    if (typeof value !== "function") return [name, value];
    return [name, (...told: unknown[]) => listened(value.apply(rail, told), told[0], notice)];
  });
  return Object.fromEntries(watched) as Rail;
}

/** Lists go through as they are: only answers can say something about the connection. */
function listened(called: unknown, order: unknown, notice: (said: RailNotice) => Promise<void>): unknown {
  if (!(called instanceof Promise)) return called;
  return called.then(async (answer: unknown) => {
    const { hold, alarm, trace } = fieldsOf(answer) as Pick<RailNotice, "hold" | "alarm" | "trace">;
    if (hold !== undefined || alarm !== undefined || trace !== undefined) {
      const about = fieldsOf(order) as Partial<Record<string, string>>;
      const orderId = orderIds.map((name) => about[name]).find((id) => id !== undefined);
      await notice({
        ...(hold === undefined ? {} : { hold }),
        ...(alarm === undefined ? {} : { alarm }),
        ...(trace === undefined ? {} : { trace }),
        environmentId: about["environmentId"],
        orderId,
      });
    }
    return answer;
  });
}

function fieldsOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
