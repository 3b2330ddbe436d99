/** Which of the cells that this process was told of it can reach now. One that is away troubles its own tenants only. */
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";

export interface CellStates {
  /** Every cell by its name. */
  readonly isThere: ReadonlyMap<string, boolean>;
  /** Says in the log what has changed. */
  note(name: string, isThere: boolean, error?: unknown): void;
}

export function createCellStates(names: Iterable<string>, log: Logger): CellStates {
  const isThere = new Map([...names].map((name) => [name, true]));
  return {
    isThere,
    note(name, now, error) {
      if (isThere.get(name) === now) return;
      isThere.set(name, now);
      if (now) log.info({ cell: name }, "a cell is back, and its environments are served");
      else log.error({ cell: name, err: error }, "a cell cannot be reached: its environments get 503 until it is back");
    },
  };
}

export function cellGauge({ isThere }: CellStates): GaugeSource {
  return {
    name: "jara_cell_up",
    help: "1 for a cell that this process can reach, 0 for one that it cannot: its callers get 503.",
    labelNames: ["cell"],
    read: () => [...isThere].map(([cell, up]) => ({ labels: { cell }, value: up ? 1 : 0 })),
  };
}
