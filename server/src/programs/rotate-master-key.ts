/**
 * `npm run rotate-keys`: seals everything again under the first key of JARA_MASTER_KEY. SECURITY.md says how the new
 * key gets there; the servers go on working meanwhile.
 */

import { createSealer } from "../platform/secrets/crypto.ts";
import { type ResealReport, resealAll } from "../platform/secrets/reseal.ts";
import { type Config, readConfig } from "../start/config.ts";
import { withDatabase } from "../start/open-database.ts";
import { openMasterKeys } from "../start/open-master-keys.ts";
import { house } from "../start/slices.ts";

try {
  process.exitCode = await rotate(readConfig(process.env));
} catch (error) {
  // What stops it is for a person to read: a wrong setting, a database that cannot be reached.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function rotate(config: Config): Promise<number> {
  return withDatabase(config, async (db, { ownerUrl }) => {
    const sealer = createSealer(await openMasterKeys(config, ownerUrl));
    const report = await resealAll(db, sealer, house.sealedColumns, {
      onBatch: (resealed) => console.log(`${resealed} values sealed again so far`),
    });
    return present(report, sealer.keyVersion);
  });
}

function present(report: ResealReport, version: number): number {
  console.log(`Sealed again under v${version}: ${report.resealed} values.`);
  if (report.unreadable.length === 0) {
    console.log(`Nothing needs an older key any more. Once every server seals under v${version}, run this again and`);
    console.log("then take the older keys out of JARA_MASTER_KEY.");
    return 0;
  }
  console.error(`${report.unreadable.length} values could not be opened with any key of JARA_MASTER_KEY:`);
  for (const context of report.unreadable.slice(0, 20)) console.error(`  ${context}`);
  return 1;
}
