/**
 * A worker's rounds over rows that wait. A round claims rows that there is room for, and starts them. A claim is a
 * lease: rows that a killed worker held come back after it. A round does not wait for the outside: the rows that it
 * claimed are under way during the next rounds. How much room there is, and for whom, is a policy that is handed in
 * (`rails/order-rounds.ts`, `webhooks/sending/circuit.ts`).
 *
 * Acceptance may hand rows straight to the worker of the same process: a row that it has just written as claimed starts
 * with its commit, and no round has to find and claim it. In a process without a worker all rows wait in the queue.
 */
import { inBackground } from "../database/cause.ts";
import { afterCommit, type EnvironmentKind, type Tx } from "../database/database.ts";

/** The rows of an environment for one counterparty: a bank, a biller, an endpoint. */
export interface Lane {
  readonly environmentId: string;
  readonly counterparty: string;
}

/** A row under way, who started it, and when. */
export interface Started<Row> {
  readonly row: Row;
  readonly by: "round" | "acceptance";
  readonly startedAt: number;
}

export interface RoundOptions<Row> {
  /** Claims rows that there is room for beside those under way, and says how long to rest before the next round. */
  claim(underWay: readonly Started<Row>[]): Promise<{ readonly rows: readonly Row[]; readonly restMs: number }>;
  /**
   * Never rejects: a row that could not be taken further comes back with its lease. A row that has room for a successor
   * before it ends calls `makeRoom`.
   */
  advance(row: Row, makeRoom: () => void): Promise<void>;
  /** A rest ends early once half of the rows that take room have made room, or so many. Without it no rest does. */
  readonly wakesAfter?: number;
}

export interface Rounds {
  /** Claims rows, starts them, and returns how many milliseconds to rest before the next round. */
  round(): Promise<number>;
  /** Resolves when no row is under way any more. */
  drain(): Promise<void>;
}

export interface OpenRounds<Row> extends Rounds {
  underWay(): readonly Started<Row>[];
  /** Starts a row that its maker has claimed. */
  start(row: Row): void;
}

export function createRounds<Row>({ claim, advance, wakesAfter }: RoundOptions<Row>): OpenRounds<Row> {
  const underWay = new Map<Promise<void>, Started<Row>>();
  const rest = createRest();

  function start(row: Row, by: Started<Row>["by"]): void {
    const started = { row, by, startedAt: performance.now() };
    const makeRoom = rest.noteStart();
    const advancing = advance(row, makeRoom).finally(() => {
      makeRoom();
      underWay.delete(advancing);
    });
    underWay.set(advancing, started);
  }

  return {
    async round() {
      const { rows, restMs } = await claim([...underWay.values()]);
      for (const row of rows) start(row, "round");
      if (wakesAfter === undefined || restMs === 0 || underWay.size === 0) return restMs;
      await rest.take(restMs, wakesAfter);
      return 0;
    },
    underWay: () => [...underWay.values()],
    start: (row) => start(row, "acceptance"),
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay.keys());
    },
  };
}

/** A claim for each row that makes room would cost more than the row, so the next round waits for some of them. */
function createRest() {
  const busy = new Set<symbol>();
  let [missing, wake] = [0, () => {}];
  return {
    /** Returns what is called, once or more, when the row has made room. */
    noteStart(): () => void {
      const place = Symbol();
      busy.add(place);
      return () => {
        if (!busy.delete(place)) return;
        missing -= 1;
        if (missing <= 0) wake();
      };
    },
    async take(ms: number, wakesAfter: number): Promise<void> {
      missing = Math.min(wakesAfter, Math.ceil(busy.size / 2));
      if (missing === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = () => {};
    },
  };
}

export interface HandOver<Row> {
  /** A worker takes part, until it leaves. */
  join(kind: EnvironmentKind, taker: Taker<Row>): void;
  leave(kind: EnvironmentKind): void;
  /** How many rows of a lane may be written as claimed now. */
  room(kind: EnvironmentKind, lane: Lane): number;
  /** Starts rows that were written as claimed and are committed. A row that nobody starts is claimed after its lease. */
  start(kind: EnvironmentKind, rows: readonly Row[]): void;
}

export interface Taker<Row> {
  /** How many rows of a lane may be started past the rounds. */
  room(lane: Lane): number;
  start(row: Row): void;
}

export function createHandOver<Row>(): HandOver<Row> {
  const takers = new Map<EnvironmentKind, Taker<Row>>();
  return {
    join: (kind, taker) => void takers.set(kind, taker),
    leave: (kind) => void takers.delete(kind),
    room: (kind, lane) => takers.get(kind)?.room(lane) ?? 0,
    // As the worker's own rounds do: what follows acceptance is no longer the request.
    start: (kind, rows) =>
      inBackground(() => {
        for (const row of rows) takers.get(kind)?.start(row);
      }),
  };
}

/** An order that is its holder's to take further. */
export interface ClaimedOrder<Order> {
  readonly environmentId: string;
  readonly order: Order;
  /** Whether its acceptance has just started it, so that it may be sent; one in the queue is begun or asked about. */
  readonly fresh: boolean;
}

/** How orders of one kind start with their acceptance. */
export interface Starting<Order> {
  readonly desk: HandOver<ClaimedOrder<Order>>;
  /** Whom it goes to: an environment has so much room with each. */
  counterparty(order: Order): string;
  /** The order as it is written when it starts; null where it has to wait for something. */
  start(order: Order): Order | null;
}

/**
 * Orders as they are to be written. One that the worker of the same process has room for is written as claimed and
 * under way: one row version, one commit and one look at the queue fewer. It starts when the transaction is committed.
 * Should the process end before that, it is an order that may have been sent: its lease runs out, and the rail is
 * asked.
 */
export function startAtOnce<Order>(
  tx: Tx,
  { desk, counterparty: counterpartyOf, start }: Starting<Order>,
  accepted: readonly Order[],
): Order[] {
  const { id: environmentId, kind } = tx.environment;
  const room = new Map<string, number>();
  const started: ClaimedOrder<Order>[] = [];
  const written = accepted.map((order) => {
    const counterparty = counterpartyOf(order);
    const left = room.get(counterparty) ?? desk.room(kind, { environmentId, counterparty });
    const underWay = left < 1 ? null : start(order);
    if (underWay === null) return order;
    room.set(counterparty, left - 1);
    started.push({ environmentId, order: underWay, fresh: true });
    return underWay;
  });
  if (started.length > 0) afterCommit(tx, () => desk.start(kind, started));
  return written;
}

/** Rounds that take part from the first of them until they are drained. */
export function joining<Row>(rounds: Rounds & Taker<Row>, kind: EnvironmentKind, handOver: HandOver<Row>): Rounds {
  return {
    round: () => {
      handOver.join(kind, rounds);
      return rounds.round();
    },
    drain: () => {
      handOver.leave(kind);
      return rounds.drain();
    },
  };
}
