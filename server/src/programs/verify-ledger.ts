/**
 * `npm run verify`: runs the checks of all slices in every environment (the ledger from its entries, loans from their
 * history, credit, refunds to cards, money that came in) and in the operator's own books, and names every difference.
 * Where JARA_ARCHIVE_FOLDER is named, each file of archived events is held against what the database says of it.
 * It reads only, and the servers go on working meanwhile. The exit code is 1 when something differs.
 */
import { compareFolder } from "../archives/compare-folder.ts";
import { listEnvironments } from "../merchants/find-environment.ts";
import type { Database } from "../platform/database/database.ts";
import { readConfig } from "../start/config.ts";
import { withDatabase } from "../start/open-database.ts";
import { house } from "../start/slices.ts";
import { verifyBooks } from "../verification/verify-books.ts";

try {
  const config = readConfig(process.env);
  const verify = async (db: Database): Promise<number> => {
    const differences = await verifyAll(db);
    const faults = config.archive === undefined ? 0 : await verifyFolder(db, config.archive.folder);
    return differences + faults === 0 ? 0 : 1;
  };
  process.exitCode = await withDatabase(config, verify);
} catch (error) {
  // What stops it is for a person to read: a wrong setting, a database that cannot be reached.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function verifyAll(db: Database): Promise<number> {
  const { environments, contradictions } = await verifyBooks(db, house, {
    onFound: ({ environmentId, check, subject, expected, found }, kind) => {
      const where = environmentId === null ? kind : `${kind} ${environmentId}`;
      console.error(`${where}: ${check}: ${subject}: expected ${expected}, found ${found}`);
    },
  });
  console.log(`Environments verified: ${environments}. Differences: ${contradictions}.`);
  return contradictions;
}

async function verifyFolder(db: Database, folder: string): Promise<number> {
  const { files, faults, remarks } = await compareFolder(db, folder, listEnvironments(db));
  for (const line of [...faults, ...remarks]) console.error(line);
  console.log(`Archive files compared: ${files}. Faults: ${faults.length}.`);
  return faults.length;
}
