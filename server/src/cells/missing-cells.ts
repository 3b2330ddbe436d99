/**
 * Cells in which environments live and of which this process was not told (JARA_CELLS). Their keys are kept there, so
 * nobody here can say whether a key is one of theirs.
 */
import { cellNames } from "../platform/database/cells.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { rememberFor } from "../platform/remember.ts";
import { readCellNames } from "./directory-store.ts";

const freshMs = 5_000;

/** Reads them at most once in a while, and says in the log that there are some. */
export function createMissingCells(home: Database, log: Logger): () => Promise<readonly string[]> {
  return rememberFor(freshMs, async () => {
    const told = new Set(cellNames(home));
    const missing = (await readCellNames(home)).filter((name) => !told.has(name));
    if (missing.length > 0) log.error({ cells: missing }, "environments live in cells that JARA_CELLS does not name");
    return missing;
  });
}

export function missingCellsGauge(missingCells: () => Promise<readonly string[]>): GaugeSource {
  return {
    name: "jara_cells_missing",
    help: "Cells in which environments live and which this process was not told of: their callers get 503.",
    labelNames: [],
    read: async () => [{ labels: {}, value: (await missingCells()).length }],
  };
}
