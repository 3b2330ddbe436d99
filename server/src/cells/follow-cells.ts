/** Keeps a process up to date with home: where environments live, and the rows that every cell has a copy of. */
import type { CellDirectory } from "../platform/database/cells.ts";
import type { Database } from "../platform/database/database.ts";
import type { CellStates } from "./cell-states.ts";
import { type Directory, readDirectory, readOpen } from "./directory-store.ts";
import { type Asked, mirrorSharedRows } from "./shared-rows-store.ts";

/** How often. */
export const lookEveryMs = 500;

export interface FollowedDirectory extends CellDirectory {
  /** Asks home again. What is remembered may be old: a database that an environment has left refuses it. */
  read(home: Database): Promise<void>;
  /** Whether it is on its way to another cell. */
  isMoving(environmentId: string): boolean;
  /** The environments of a cell. */
  livingIn(cell: string): string[];
}

/** `absent` says which cells cannot be reached; a program that needs all of them starts with none. */
export function createDirectory(absent: () => readonly string[] = () => []): FollowedDirectory {
  let known: Directory = { cells: new Map(), moving: new Set() };
  return {
    cellOf: (environmentId) => known.cells.get(environmentId),
    isMoving: (environmentId) => known.moving.has(environmentId),
    absent,
    async read(home) {
      known = await readDirectory(home);
    },
    livingIn: (name) => [...known.cells].filter(([, cell]) => cell === name).map(([id]) => id),
  };
}

interface Followed {
  readonly pool: Asked;
}

/** Brings a cell the rows that every cell has a copy of. */
export function supplyCell(home: Followed, cell: Followed): Promise<void> {
  return mirrorSharedRows(home.pool, cell.pool);
}

/** Is it there? Then it is brought what it lacks. */
export async function followCell(name: string, cell: Followed, home: Followed, states: CellStates): Promise<void> {
  try {
    await cell.pool.query("select");
  } catch (error) {
    return states.note(name, false, error);
  }
  states.note(name, true);
  await supplyCell(home, cell);
}

/**
 * Throws for an environment that is open where it does not live: its work would be done twice. That comes from a
 * database that was brought back from before a move.
 */
export async function refuseStrays(home: Database, cells: ReadonlyMap<string, Database>): Promise<void> {
  const open = await Promise.all(
    [["home", home] as const, ...cells].map(async ([name, db]) => [name, await readOpen(db)] as const),
  );
  const { cells: directory } = await readDirectory(home);
  for (const [name, ids] of open) {
    const stray = ids.find((id) => (directory.get(id) ?? "home") !== name);
    if (stray === undefined) continue;
    const place = directory.get(stray) ?? "home";
    throw new Error(
      `Environment ${stray} is open in ${name} and lives in ${place}. docs/runbooks/cells.md says what to do.`,
    );
  }
}
