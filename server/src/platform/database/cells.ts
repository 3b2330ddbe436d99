/**
 * Cells: several databases, and each environment lives in one of them. What belongs to a database (its pool, its locks)
 * stands for all cells once theirs are attached to home's: whoever has an environment's id is led to the cell where it
 * lives, and whoever looks across tenants asks all of them. Without cells everything here returns what it was given.
 *
 * The directory that leads there may be a moment old. It need not be newer: a database refuses an environment that
 * does not live there (enter_environment), so the worst is a refusal that says to come again.
 */
import { commonProblem, type Problem } from "../problem.ts";
import { isConnectionLost } from "./retry-transient.ts";

/** Where environments live, as far as this process knows. */
export interface CellDirectory {
  /** Undefined for home. */
  cellOf(environmentId: string): string | undefined;
  /** Cells that this process was told of and cannot reach now. */
  absent(): readonly string[];
}

interface Attached {
  readonly directory: CellDirectory;
  readonly cells: ReadonlyMap<string, object>;
}

const attachedTo = new WeakMap<object, Attached>();

/** From now on `home` stands for the others too, each under its cell's name. One that comes later may be added. */
export function attachCells<T extends object>(home: T, cells: ReadonlyMap<string, T>, directory: CellDirectory): void {
  attachedTo.set(home, { directory, cells });
}

/** The one of the cell where the environment lives. */
export function cellFor<T extends object>(home: T, environmentId: string): T {
  const attached = attachedTo.get(home);
  if (attached === undefined) return home;
  const name = attached.directory.cellOf(environmentId);
  if (name === undefined) return home;
  const cell = attached.cells.get(name);
  if (cell !== undefined) return cell as T;
  if (attached.directory.absent().includes(name)) throw cellIsAway([name]);
  const cause = new Error(`environment ${environmentId} lives in ${name}: JARA_CELLS must name it`);
  throw commonProblem("unavailable", { cause, headers: { "Retry-After": "10" } });
}

const away = [
  "One of the databases of this service cannot be reached, and what you asked for is kept there.",
  "Nothing was changed; retry after the seconds in Retry-After.",
].join(" ");

/** Which one it is stands in the log: to a caller it says nothing. */
function cellIsAway(names: readonly string[]): Problem {
  const cause = new Error(`these cells cannot be reached: ${names.join(", ")}`);
  return commonProblem("unavailable", { message: away, cause, headers: { "Retry-After": "10" } });
}

/** Refuses while a cell is away: whoever has not asked everywhere cannot say that something is nowhere. */
export function requireEveryCell(home: object): void {
  const absent = awayCells(home);
  if (absent.length > 0) throw cellIsAway(absent);
}

/** The cells that this process was told of and cannot reach now. */
export function awayCells(home: object): readonly string[] {
  return attachedTo.get(home)?.directory.absent() ?? [];
}

/** Whether the environment lives in a cell that cannot be reached now. */
export function isAway(home: object, environmentId: string): boolean {
  const name = attachedTo.get(home)?.directory.cellOf(environmentId);
  return name !== undefined && awayCells(home).includes(name);
}

/** What this process calls the cells that it was told of. */
export function cellNames(home: object): string[] {
  const attached = attachedTo.get(home);
  return attached === undefined ? [] : [...new Set([...attached.cells.keys(), ...attached.directory.absent()])];
}

/** Home's and those of all cells; refuses while one is away. */
export function everyCell<T extends object>(home: T): readonly T[] {
  requireEveryCell(home);
  return presentCells(home);
}

/** Home's and those of the cells that have been there. */
export function presentCells<T extends object>(home: T): readonly T[] {
  const attached = attachedTo.get(home);
  return [home, ...((attached?.cells.values() ?? []) as Iterable<T>)];
}

/** What the cells said that could be reached, home first, and the names of those that could not. */
export interface Gathered<Found> {
  readonly found: readonly Found[];
  readonly missing: readonly string[];
}

/**
 * Asks all cells at once, each told how many are asked. One that is away is not waited for, one that is lost meanwhile
 * is named with it; home must reply.
 */
export async function askCells<T extends object, Found>(
  home: T,
  ask: (cell: T, cells: number) => Promise<Found>,
): Promise<Gathered<Found>> {
  const away = awayCells(home);
  const attached = (attachedTo.get(home)?.cells ?? new Map()) as ReadonlyMap<string, T>;
  const others = [...attached].filter(([name]) => !away.includes(name));
  const lost: string[] = [];
  const asked = others.map(async ([name, cell]) => {
    try {
      return [await ask(cell, others.length + 1)];
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      lost.push(name);
      return [];
    }
  });
  const [first, ...rest] = await Promise.all([ask(home, others.length + 1).then((found) => [found]), ...asked]);
  return { found: [...first, ...rest.flat()], missing: [...away, ...lost].sort() };
}

/** Asks all cells that can be reached, and puts together what they say. */
export async function gatherCells<T extends object, Row>(
  home: T,
  ask: (cell: T) => Promise<readonly Row[]>,
): Promise<Row[]> {
  return (await askCells(home, ask)).found.flat();
}

/** Items that belong to environments, by where those live. */
export function byCell<T extends object, Item>(
  home: T,
  items: readonly Item[],
  environmentOf: (item: Item) => string,
): ReadonlyMap<T, Item[]> {
  return Map.groupBy(items, (item) => cellFor(home, environmentOf(item)));
}

/**
 * Asks all cells for something that one of them has, and takes what the cell says where it lives: a copy may be left at
 * the place that it moved away from. While it moves that copy is all there is, and is taken. A cell that cannot be
 * reached is no trouble for what is found elsewhere.
 */
export function findInCells<T extends object, Found>(
  home: T,
  ask: (cell: T) => Promise<Found | undefined>,
  environmentOf: (found: Found) => string,
): Promise<Found | undefined> {
  const cells = presentCells(home);
  const absent = attachedTo.get(home)?.directory.absent() ?? [];
  if (cells.length === 1 && absent.length === 0) return ask(home);
  return new Promise((resolve, reject) => {
    let open = cells.length;
    let trouble: unknown = absent.length === 0 ? undefined : cellIsAway(absent);
    let copy: Found | undefined;
    const settle = (): void => {
      open -= 1;
      if (open > 0) return;
      if (copy !== undefined || trouble === undefined) resolve(copy);
      else reject(trouble);
    };
    for (const cell of cells) {
      ask(cell)
        .then((found) => {
          if (found !== undefined && cellFor(home, environmentOf(found)) === cell) resolve(found);
          copy ??= found;
        })
        .catch((error: unknown) => {
          trouble = error;
        })
        .finally(settle);
    }
  });
}
