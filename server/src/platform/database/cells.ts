/**
 * Cells: several databases, and each environment lives in one of them. What belongs to a database (its pool, its locks)
 * stands for all cells once theirs are attached to home's: whoever has an environment's id is led to the cell where it
 * lives, and whoever looks across tenants asks all of them. Without cells everything here returns what it was given.
 *
 * The directory that leads there may be a moment old. It need not be newer: a database refuses an environment that
 * does not live there (enter_environment), so the worst is a refusal that says to come again.
 */
import { commonProblem, type Problem } from "../problem.ts";

/** Where environments live, as far as this process knows. */
export interface CellDirectory {
  /** Undefined for home. */
  cellOf(environmentId: string): string | undefined;
  /** Cells that this process was told of and has not reached since its start. */
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
  const absent = attachedTo.get(home)?.directory.absent() ?? [];
  if (absent.length > 0) throw cellIsAway(absent);
}

/** What this process calls the cells that it was told of. */
export function cellNames(home: object): string[] {
  const attached = attachedTo.get(home);
  return attached === undefined ? [] : [...attached.cells.keys(), ...attached.directory.absent()];
}

/** Home's and those of all cells; refuses while one is away. */
export function everyCell<T extends object>(home: T): readonly T[] {
  requireEveryCell(home);
  return presentCells(home);
}

/** Home's and those of the cells that are there. */
export function presentCells<T extends object>(home: T): readonly T[] {
  const attached = attachedTo.get(home);
  return [home, ...((attached?.cells.values() ?? []) as Iterable<T>)];
}

/** Asks all cells at once, and puts together what they say. */
export async function gatherCells<T extends object, Row>(
  home: T,
  ask: (cell: T) => Promise<readonly Row[]>,
): Promise<Row[]> {
  return (await Promise.all(everyCell(home).map(ask))).flat();
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
