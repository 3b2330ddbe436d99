/**
 * The connections of this process, and the desks that they make. What an operator changes here is seen at once, what
 * another process changed within about a second.
 */
import { type Database, operatorScope, readEnvironment } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { Desk, Desks, RailUser } from "../desk.ts";
import type { Connected, Port, PortRails, Provider } from "../provider.ts";
import { choose, type RouteList, routeFor } from "./choose-connection.ts";
import type { Connection } from "./connection.ts";
import { listConnections, listRoutes } from "./connection-store.ts";
import { type CallHealth, createCallHealth } from "./health.ts";
import { createLines, type Lines } from "./open-lines.ts";

/** What serves sandboxes that have no route. */
export type SimulatedRails = { readonly [P in Port]: PortRails[P] | null };

export interface BookOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  readonly providers: readonly Provider[];
  readonly simulated: SimulatedRails;
  /** Whether the owner of a sandbox plays that its simulated rail takes no orders. */
  isHeld?(sandbox: string, port: Port): Promise<boolean>;
}

export interface ConnectionBook {
  readonly desks: Desks;
  readonly providers: readonly Provider[];
  readonly health: CallHealth;
  find(id: string): Promise<{ readonly connection: Connection; readonly connected: Connected } | undefined>;
  list(): Promise<readonly Connection[]>;
  /** Whether any route leads this environment to a provider. */
  isRouted(user: RailUser): Promise<boolean>;
  /** Reads the database now. Not for use inside a transaction. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export function createConnectionBook(options: BookOptions): ConnectionBook {
  const { providers } = options;
  const health = createCallHealth();
  const snapshot = createSnapshotKeeper(options);
  const refresh = async (): Promise<void> => {
    await snapshot.refresh();
  };
  const lines = createLines({ ...options, health, refresh });
  const { simulated, isHeld = async () => false } = options;
  const parts: Parts = { snapshot, lines, health, simulated, isHeld };
  const find = async (id: string): Promise<Connection | undefined> =>
    (await snapshot.current()).connections.get(id) ?? (await snapshot.refresh()).connections.get(id);
  return {
    desks: {
      bank: deskFor(parts, "bank"),
      biller: deskFor(parts, "biller"),
      card: deskFor(parts, "card"),
      message: deskFor(parts, "message"),
      identity: deskFor(parts, "identity"),
      inbound: deskFor(parts, "inbound"),
    },
    providers,
    health,
    refresh,
    find: async (id) => {
      const connection = await find(id);
      return connection && { connection, connected: lines.connectedTo(connection) };
    },
    list: async () => [...(await snapshot.current()).connections.values()],
    isRouted: async ({ environmentId }) =>
      (await snapshot.current()).routes.some((route) => route.environmentId === environmentId),
    close: () => lines.close(),
  };
}

interface Parts {
  readonly snapshot: SnapshotKeeper;
  readonly lines: Lines;
  readonly health: CallHealth;
  readonly simulated: SimulatedRails;
  readonly isHeld: NonNullable<BookOptions["isHeld"]>;
}

function deskFor<P extends Port>({ snapshot, lines, health, simulated, isHeld }: Parts, port: P): Desk<PortRails[P]> {
  const railOf = (connection: Connection): PortRails[P] => {
    const rail = lines.railOf(connection, port);
    if (rail === undefined) throw new Error(`connection ${connection.id} has no rail for ${port}`);
    return rail;
  };
  return {
    async find(user, category) {
      const { connections, routes } = await snapshot.current();
      const ids = routeFor(routes, user, port, category);
      if (ids === undefined) {
        const rail = user.kind === "SANDBOX" ? simulated[port] : null;
        if (rail === null) return "not_connected";
        return (await isHeld(user.environmentId, port)) ? "closed" : { connectionId: null, rail };
      }
      const choice = choose(
        ids.flatMap((id) => connections.get(id) ?? []),
        (connection) => sells(lines.railOf(connection, port), category),
        ({ id }) => health.of(id).state === "ok",
      );
      if (typeof choice === "string") return choice;
      return { connectionId: choice.connection.id, rail: railOf(choice.connection) };
    },
    async bound({ kind }, connectionId) {
      if (connectionId !== null) {
        const { connections } = await snapshot.current();
        const connection = connections.get(connectionId) ?? (await snapshot.refresh()).connections.get(connectionId);
        if (connection !== undefined) return railOf(connection);
      }
      const rail = connectionId === null && kind === "SANDBOX" ? simulated[port] : null;
      if (rail === null) throw new Error(`an order is bound to ${connectionId}, which has no rail for ${port}`);
      return rail;
    },
    async plain(user) {
      if (user.kind !== "SANDBOX" || routeFor((await snapshot.current()).routes, user, port) !== undefined) return null;
      return (await isHeld(user.environmentId, port)) ? null : simulated[port];
    },
  };
}

function sells(rail: PortRails[Port] | undefined, category: string | undefined): boolean {
  if (rail === undefined || ("opensAccounts" in rail && !rail.opensAccounts)) return false;
  if (category === undefined || !("categories" in rail)) return true;
  return (rail.categories as readonly string[]).includes(category);
}

/**
 * The connections and routes at hand in this process. Whoever asks gets what is at hand, at once, also inside a
 * transaction: waiting there for a connection of the pool could wait for itself. What is older than a second is read
 * again beside.
 */
interface Snapshot {
  readonly connections: ReadonlyMap<string, Connection>;
  readonly routes: readonly RouteList[];
}

interface SnapshotKeeper {
  /** Waits only when nothing was ever read. */
  current(): Promise<Snapshot>;
  /** Reads the database now. */
  refresh(): Promise<Snapshot>;
}

const freshForMs = 1_000;

function createSnapshotKeeper({ db, log }: { readonly db: Database; readonly log: Logger }): SnapshotKeeper {
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
