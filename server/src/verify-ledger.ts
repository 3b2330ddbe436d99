/**
 * `npm run verify`: recomputes the ledger of every environment from its entries and names every difference. It reads
 * only, and the servers go on working meanwhile. The exit code is 1 when something differs.
 */
import { type Config, readConfig } from "./config.ts";
import { verifyLedger } from "./ledger/verify.ts";
import { listEnvironments } from "./merchants/list-environments.ts";
import { openDatabase } from "./open-database.ts";
import { createDatabase, createPool, type Database, inEnvironment } from "./platform/database.ts";

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
    const found = await inEnvironment(db, id, verifyLedger, { readOnly: true });
    for (const { check, subject, expected, found: actual } of found) {
      console.error(`${kind} ${id}: ${check}: ${subject}: expected ${expected}, found ${actual}`);
    }
    environments += 1;
    differences += found.length;
  }
  console.log(`Environments verified: ${environments}. Differences: ${differences}.`);
  return differences === 0 ? 0 : 1;
}
