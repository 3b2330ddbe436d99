import { appRoutes, openApiDocument } from "../../server/src/app.ts";
import { readConfig } from "../../server/src/config.ts";
import { createGroupCommit } from "../../server/src/ledger/group-commit.ts";
import { openRails } from "../../server/src/open-rails.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../server/src/platform/crypto.ts";
import { createDatabase, createPool } from "../../server/src/platform/database.ts";
import { createEnvironmentLocks } from "../../server/src/platform/environment-lock.ts";
import { createLogger } from "../../server/src/platform/logger.ts";
import { createTasks } from "../../server/src/tasks.ts";

const baseUrl = "http://localhost:4000";

/** The document that a running server answers with at /openapi.json, with the development address in it. */
export async function openApiJson(ownerUrl: string): Promise<string> {
  // The routes are only described here; the database behind them is never asked.
  const db = createDatabase(createPool({ url: ownerUrl, poolSize: 1 }));
  const locks = createEnvironmentLocks({ url: ownerUrl });
  const sealer = createSealer(parseMasterKeys(generateMasterKey()));
  const groupCommit = createGroupCommit({ db, sealer, slots: 1 });
  const log = createLogger({ level: "silent", pretty: false });
  const rails = openRails({ url: ownerUrl, db, log });
  const { clock } = createTasks({ db, locks, log, groupCommit, rails, sealer, webhookSubnets: [] });
  const { settleFrozen } = clock;
  try {
    const routes = appRoutes({ config: readConfig({}), db, log, sealer, groupCommit, rails, clock, settleFrozen });
    return `${JSON.stringify(openApiDocument(routes, baseUrl), undefined, 2)}\n`;
  } finally {
    await rails.close();
    await locks.close();
    await db.destroy();
  }
}
