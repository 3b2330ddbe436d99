/**
 * `npm run verify`: runs the checks of all slices in every environment (the ledger from its entries, loans from their
 * history, credit, refunds to cards, money that came in) and in the operator's own books, and names every difference.
 * It reads only, and the servers go on working meanwhile. The exit code is 1 when something differs.
 */
import { type Config, readConfig } from "./config.ts";
import { listEnvironments } from "./merchants/list-environments.ts";
import { openDatabase } from "./open-database.ts";
import {
  createDatabase,
  createPool,
  type Database,
  enterEnvironment,
  operatorScope,
  type Tx,
} from "./platform/database/database.ts";
import type { Difference } from "./platform/records/difference.ts";
import { house } from "./slices.ts";

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
    const found = await verifyScope(db, id, house.verify);
    for (const { check, subject, expected, found: actual } of found) {
      console.error(`${kind} ${id}: ${check}: ${subject}: expected ${expected}, found ${actual}`);
    }
    environments += 1;
    differences += found.length;
  }
  for (const { check, subject, expected, found } of await verifyScope(db, operatorScope, house.verifyOperator)) {
    console.error(`operator: ${check}: ${subject}: expected ${expected}, found ${found}`);
    differences += 1;
  }
  console.log(`Environments verified: ${environments}. Differences: ${differences}.`);
  return differences === 0 ? 0 : 1;
}

/** One picture for all of it: what is posted meanwhile is neither here nor there. */
function verifyScope(db: Database, id: string, verify: (tx: Tx) => Promise<Difference[]>): Promise<Difference[]> {
  const transaction = db.transaction().setIsolationLevel("repeatable read");
  return transaction.execute(async (trx) => verify(await enterEnvironment(trx, id)));
}
