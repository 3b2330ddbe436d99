/** `npm run check:boundaries`: fails when a file imports what its folder may not. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findViolations } from "./find-violations.ts";

const root = join(import.meta.dirname, "..", "..");
const folders = ["server", "tests", "tools", "web", "sdk", "cli", "examples", "bench", "deploy"].filter((name) =>
  existsSync(join(root, name)),
);

const { modules, violations } = await findViolations(root, folders);
for (const violation of violations) console.error(violation);
console.log(`Boundaries: ${modules} modules, ${violations.length} forbidden imports.`);
process.exitCode = violations.length === 0 ? 0 : 1;
