/** `npm run check:replies`, after a whole `npm test`: fails when a documented reply was seen by no test. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findUnseen } from "./unseen-replies.ts";

const folder = join(import.meta.dirname, "..", "..", "test-results", "replies");

function linesOf(kind: string): Set<string> {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`${kind}-`)) : [];
  const lines = files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return new Set(lines.filter((line) => line !== ""));
}

const documented = linesOf("documented");
const unseen = findUnseen(documented, linesOf("seen"));
for (const line of unseen) console.error(`no test has seen ${line}`);
if (documented.size === 0) console.error("Nothing was written down. Run npm test first, without naming files.");
console.log(`Replies: ${documented.size} documented, ${unseen.length} seen by no test.`);
process.exitCode = documented.size > 0 && unseen.length === 0 ? 0 : 1;
