/** `npm run check:migrations`: fails when a migration that is newer than the last release would disturb its servers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isReleased, lintMigration } from "./lint.ts";

const folder = join(import.meta.dirname, "..", "..", "server", "migrations");
const names = readdirSync(folder).sort();
const newer = names.filter((name) => name.endsWith(".sql") && !isReleased(name));

let count = 0;
for (const name of newer) {
  for (const { line, rule, message } of lintMigration(readFileSync(join(folder, name), "utf8"))) {
    count += 1;
    console.error(`server/migrations/${name}:${line}: ${rule}: ${message}`);
  }
}
console.log(`Migrations: ${names.length}, ${newer.length} newer than the last release, ${count} findings.`);
process.exitCode = count === 0 ? 0 : 1;
