/** The whole API in this process over a throw-away database, for generators that describe or play it. */

import { createGroupCommit } from "../../server/src/ledger/group-commit.ts";
import { createDatabase, createPool } from "../../server/src/platform/database/database.ts";
import { createLogger } from "../../server/src/platform/logger.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../server/src/platform/secrets/crypto.ts";
import { createEnvironmentLocks } from "../../server/src/platform/time/environment-lock.ts";
import type { AppDependencies } from "../../server/src/start/app.ts";
import { readConfig } from "../../server/src/start/config.ts";
import { openRails } from "../../server/src/start/open-rails.ts";
import { createTasks } from "../../server/src/start/tasks.ts";

/** Hands over what the app is made of, and closes it afterwards. */
export async function withAppParts<T>(ownerUrl: string, work: (parts: AppDependencies) => Promise<T>): Promise<T> {
  const pool = createPool({ url: ownerUrl, poolSize: 4 });
  const db = createDatabase(pool);
  const locks = createEnvironmentLocks({ url: ownerUrl });
  const sealer = createSealer(parseMasterKeys(generateMasterKey()));
  const groupCommit = createGroupCommit({ db, sealer, slots: 2 });
  const log = createLogger({ level: "silent" });
  const rails = openRails({ url: ownerUrl, db, log, sealer });
  const { clock } = createTasks({
    db,
    locks,
    log,
    groupCommit,
    rails,
    sealer,
    webhookReach: { blocks: [], sandboxLoopback: true },
    publicUrl: "http://localhost:4000",
    requestLogDays: 7,
  });
  const config = readConfig({});
  try {
    return await work({ config, db, pool, log, sealer, groupCommit, rails, clock });
  } finally {
    await groupCommit.drain();
    await rails.close();
    await locks.close();
    await db.destroy();
  }
}
