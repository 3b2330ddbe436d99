/**
 * Where acceptance hands rows straight to the worker of the same process: what it has just written as claimed starts
 * with its commit, and nobody has to look for it and claim it. A process without a worker has nobody here, and its rows
 * wait in the queue.
 */
import { inBackground } from "../database/cause.ts";
import { afterCommit, type EnvironmentKind, type Tx } from "../database/database.ts";
import type { ClaimRounds, Lane, Rounds } from "./claim-rounds.ts";

export interface HandOver<Row> {
  /** A worker takes part, until it leaves. */
  join(kind: EnvironmentKind, rounds: Taker<Row>): void;
  leave(kind: EnvironmentKind): void;
  /** How many rows of a lane may be written as claimed now. */
  room(kind: EnvironmentKind, lane: Lane): number;
  /** Starts rows that were written as claimed and are committed. One whom nobody starts comes back with its lease. */
  start(kind: EnvironmentKind, rows: readonly Row[]): void;
}

type Taker<Row> = Pick<ClaimRounds<Row>, "room" | "start">;

export function createHandOver<Row>(): HandOver<Row> {
  const takers = new Map<EnvironmentKind, Taker<Row>>();
  return {
    join: (kind, rounds) => void takers.set(kind, rounds),
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
export function joining<Row>(rounds: ClaimRounds<Row>, kind: EnvironmentKind, handOver: HandOver<Row>): Rounds {
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
