/**
 * `npm run verify`: runs the checks of all slices in every environment (the ledger from its entries, loans from their
 * history, credit, refunds to cards, money that came in) and in the operator's own books, and names every difference.
 * Where JARA_ARCHIVE_FOLDER is named, each file of archived events is held against what the database says of it.
 * It reads only, and the servers go on working meanwhile. The exit code is 1 when something differs; 3 when nothing
 * does but a cell is away, so that its environments were not looked at.
 */
import { compareFolder } from "./archives/compare-folder.ts";
import { someCellsAway } from "./cells/exit-codes.ts";
import { readConfig } from "./config.ts";
import { listEnvironments } from "./merchants/list-environments.ts";
import { withAllCells } from "./open-cells.ts";
import { awayCells, isAway } from "./platform/database/cells.ts";
import type { Database } from "./platform/database/database.ts";
import { house } from "./slices.ts";
import { verifyBooks } from "./verification/verify-books.ts";

try {
  const config = readConfig(process.env);
  const verify = async (db: Database): Promise<number> => {
    const differences = await verifyAll(db);
    const faults = config.archive === undefined ? 0 : await verifyFolder(db, config.archive.folder);
    if (differences + faults > 0) return 1;
    return awayCells(db).length > 0 ? someCellsAway : 0;
  };
  process.exitCode = await withAllCells(config, verify, { mayBeAway: true });
} catch (error) {
  // What stops it is for a person to read: a wrong setting, a database that cannot be reached.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function verifyAll(db: Database): Promise<number> {
  let passedOver = 0;
  const { environments, contradictions } = await verifyBooks(db, house, {
    onFound: ({ environmentId, check, subject, expected, found }, kind) => {
      const where = environmentId === null ? kind : `${kind} ${environmentId}`;
      console.error(`${where}: ${check}: ${subject}: expected ${expected}, found ${found}`);
    },
    onAway: () => {
      passedOver += 1;
    },
  });
  console.log(`Environments verified: ${environments}. Differences: ${contradictions}.`);
  for (const name of awayCells(db)) console.error(`The cell ${name} cannot be reached: nothing in it was verified.`);
  if (passedOver > 0) console.error(`Environments not verified: ${passedOver}. Run it again when the cell is back.`);
  return contradictions;
}

async function verifyFolder(db: Database, folder: string): Promise<number> {
  const { files, faults, remarks } = await compareFolder(db, folder, listReachable(db));
  // A file that nobody here counts may be counted in a cell that is away.
  for (const line of [...faults, ...(awayCells(db).length > 0 ? [] : remarks)]) console.error(line);
  console.log(`Archive files compared: ${files}. Faults: ${faults.length}.`);
  return faults.length;
}

async function* listReachable(db: Database): AsyncGenerator<{ readonly id: string }> {
  for await (const { id } of listEnvironments(db)) if (!isAway(db, id)) yield { id };
}
