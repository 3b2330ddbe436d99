/**
 * Environments on their way from cell to cell, and whether a mover still works on each. One whose mover died stays
 * closed to writers until somebody runs the move again, and nobody else would notice.
 */
import { cellNames } from "../platform/database/cells.ts";
import type { Database } from "../platform/database/database.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { type MovingEnvironment, readMoving } from "./directory-store.ts";

export interface Move extends MovingEnvironment {
  /** For how long this process has seen it. */
  readonly seconds: number;
}

/** When this process first saw the moves of a home. */
const firstSeen = new WeakMap<Database, ReadonlyMap<string, number>>();

/** Without cells nothing is asked: nobody moves. A program that attached none says that there are some. */
export async function readMoves(home: Database, hasCells = cellNames(home).length > 0): Promise<readonly Move[]> {
  if (!hasCells) return [];
  const moving = await readMoving(home);
  const now = performance.now();
  const before = firstSeen.get(home);
  const seen = new Map(moving.map(({ id }) => [id, before?.get(id) ?? now]));
  firstSeen.set(home, seen);
  return moving.map((move) => ({ ...move, seconds: (now - (seen.get(move.id) ?? now)) / 1_000 }));
}

/** How long a mover may be gone before anybody is told: PostgreSQL needs half a minute to notice a vanished machine. */
export const withoutMoverSeconds = 60;

export function moveGauges(home: Database): GaugeSource[] {
  const states = [
    ["at_work", true],
    ["gone", false],
  ] as const;
  const read = (figure: (moves: readonly Move[]) => number) => async () => {
    const moves = await readMoves(home);
    return states.map(([mover, isThere]) => ({
      labels: { mover },
      value: figure(moves.filter(({ hasMover }) => hasMover === isThere)),
    }));
  };
  return [
    {
      name: "jara_environments_moving",
      help: "Environments on their way to another cell, by whether a mover works on them; gone means that it died.",
      labelNames: ["mover"],
      read: read((moves) => moves.length),
    },
    {
      name: "jara_environment_move_seconds",
      help: "For how long this process has seen the oldest move; 0 while nothing moves.",
      labelNames: ["mover"],
      read: read((moves) => Math.max(0, ...moves.map(({ seconds }) => seconds))),
    },
  ];
}
