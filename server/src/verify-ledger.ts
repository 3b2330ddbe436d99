/**
 * `npm run verify`: recomputes the ledger of every environment from its entries, every loan's share of it from the
 * loan, and what is owed of each checkout loan, holds refunds to cards against the charges, and names every difference.
 * It reads only, and the servers go on working meanwhile. The exit code is 1 when something differs.
 */
import { verifyCardRefunds } from "./checkout/cards/verify-card-refunds.ts";
import { verifyCredit } from "./checkout/loans/verify-credit.ts";
import { type Config, readConfig } from "./config.ts";
import { type LedgerDifference, verifyLedger } from "./ledger/verify.ts";
import { verifyLending } from "./lending/verify-lending.ts";
import { listEnvironments } from "./merchants/list-environments.ts";
import { openDatabase } from "./open-database.ts";
import { createDatabase, createPool, type Database, enterEnvironment } from "./platform/database/database.ts";

try {
  process.exitCode = await verify(readConfig(process.env));
} catch (error) {
  // What stops it is for a person to read: a wrong setting, a database that cannot be reached.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function verify(config: Config): Promise<number> {
  const opened = await openDatabase(config);
  try {
    const { appUrl: url, role } = opened;
    const db = createDatabase(createPool({ url, poolSize: 2, ...(role === undefined ? {} : { role }) }));
    return await verifyAll(db).finally(() => db.destroy());
  } finally {
    await opened.close();
  }
}

async function verifyAll(db: Database): Promise<number> {
  let environments = 0;
  let differences = 0;
  for await (const { id, kind } of listEnvironments(db)) {
    const found = await verifyEnvironment(db, id);
    for (const { check, subject, expected, found: actual } of found) {
      console.error(`${kind} ${id}: ${check}: ${subject}: expected ${expected}, found ${actual}`);
    }
    environments += 1;
    differences += found.length;
  }
  console.log(`Environments verified: ${environments}. Differences: ${differences}.`);
  return differences === 0 ? 0 : 1;
}

/** One picture for all of it: what is posted meanwhile is neither here nor there. */
function verifyEnvironment(db: Database, id: string): Promise<LedgerDifference[]> {
  const transaction = db.transaction().setIsolationLevel("repeatable read");
  return transaction.execute(async (trx) => {
    const tx = await enterEnvironment(trx, id);
    const checks = [verifyLedger, verifyLending, verifyCredit, verifyCardRefunds];
    const found: LedgerDifference[] = [];
    for (const check of checks) found.push(...(await check(tx)));
    return found;
  });
}
