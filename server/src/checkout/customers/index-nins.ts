/**
 * Makes the blind indexes of NINs that customers of the first version lack, so that one person has one limit from the
 * first request after an upgrade on. It needs the master key, which no migration has.
 */
import type { Database } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { type ResealReport, resealAll } from "../../platform/secrets/reseal.ts";
import { findEnvironmentsToIndex } from "./customer-store.ts";
import { sealedNin } from "./sealed-columns.ts";

export async function indexNins(db: Database, sealer: Sealer): Promise<ResealReport> {
  return resealAll(db, sealer, [sealedNin], { environments: await findEnvironmentsToIndex(db) });
}
