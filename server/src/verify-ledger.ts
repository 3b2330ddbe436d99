/**
 * `npm run verify`: runs the checks of all slices in every environment (the ledger from its entries, loans from their
 * history, credit, refunds to cards, money that came in) and in the operator's own books, and names every difference.
 * It reads only, and the servers go on working meanwhile. The exit code is 1 when something differs.
 */
import { readConfig } from "./config.ts";
import { withAllCells } from "./open-cells.ts";
import type { Database } from "./platform/database/database.ts";
import { house } from "./slices.ts";
import { verifyBooks } from "./verification/verify-books.ts";

try {
  process.exitCode = await withAllCells(readConfig(process.env), verifyAll);
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
  return contradictions === 0 ? 0 : 1;
}
