/**
 * Where acceptance hands rows straight to the worker of the same process: what it has just written as claimed starts
 * with its commit, and nobody has to look for it and claim it. A process without a worker has nobody here, and its rows
 * wait in the queue.
 */
import { inBackground } from "../database/cause.ts";
import type { EnvironmentKind } from "../database/database.ts";
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
