import { execFile } from "node:child_process";
import { join } from "node:path";
import type { Fleet } from "./fleet.ts";

/** `npm run verify`, on the database of the campaign. */
export function verify({ appUrl, ownerUrl, home }: Fleet): Promise<string[]> {
  const script = join(import.meta.dirname, "..", "..", "server", "src", "verify-ledger.ts");
  const env = { ...process.env, JARA_HOME: home, DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env }, (error, _, errors) => {
      resolve(error === null ? [] : [`npm run verify: ${errors.trim() || error.message}`]);
    });
  });
}
