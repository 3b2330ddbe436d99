/** `npm run check:replies`, after `npm run test:all`: fails when a documented reply was seen by no test. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findUnseen } from "./unseen-replies.ts";
import { isWholeRun, repliesFolder } from "./whole-run.ts";

function linesOf(kind: string): Set<string> {
  const files = existsSync(repliesFolder)
    ? readdirSync(repliesFolder).filter((name) => name.startsWith(`${kind}-`))
    : [];
  const lines = files.flatMap((name) => readFileSync(join(repliesFolder, name), "utf8").split("\n"));
  return new Set(lines.filter((line) => line !== ""));
}

function compare(): boolean {
  const documented = linesOf("documented");
  const unseen = findUnseen(documented, linesOf("seen"));
  for (const line of unseen) console.error(`no test has seen ${line}`);
  console.log(`Replies: ${documented.size} documented, ${unseen.length} seen by no test.`);
  return documented.size > 0 && unseen.length === 0;
}

if (!isWholeRun(repliesFolder)) {
  console.error("The last run of tests was not of all of them, so nobody knows what they see. Run: npm run test:all");
  process.exitCode = 1;
} else {
  process.exitCode = compare() ? 0 : 1;
}
