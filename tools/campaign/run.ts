/**
 * `npm run campaign`, or `npm run campaign -- crash browser`: the tests that take too long for every change, part by
 * part. It goes on after a part that fails, and writes each part's result into docs/campaigns.md.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { playStep } from "../check/play-step.ts";
import { type Part, parts } from "./parts.ts";
import { figureIn, type Result, readResults, replaceTable, tableOf } from "./report.ts";

const root = join(import.meta.dirname, "..", "..");
const document = join(root, "docs", "campaigns.md");
const list = parts.map(({ name, shows }) => `  ${name.padEnd(14)} ${shows}`);
const usage = ["npm run campaign -- [--list] [PART …]", ...list].join("\n");

const { positionals, values } = parseArgs({ allowPositionals: true, options: { list: { type: "boolean" } } });
const unknown = positionals.filter((name) => parts.every((part) => part.name !== name));

async function play(part: Part): Promise<Result> {
  console.log(`=== ${part.name}: ${part.shows}`);
  const env = { ...process.env, CI: "true", NO_COLOR: "1", ...part.env };
  const { output, ...played } = await playStep(part.command, env, (text) => void process.stdout.write(text));
  console.log(`--- ${part.name}: ${played.isGood ? "passed" : "FAILED"} in ${played.seconds} s`);
  return { part: part.name, figure: figureIn(output), commit, date: new Date().toISOString().slice(0, 10), ...played };
}

function git(...words: readonly string[]): string {
  return spawnSync("git", words, { cwd: root, encoding: "utf8" }).stdout.trim();
}

const isClean = git("status", "--porcelain", "--", ".", ":!docs/campaigns.md") === "";
const commit = `${git("rev-parse", "--short", "HEAD")}${isClean ? "" : " and changes"}`;

if (values.list === true || unknown.length > 0) {
  if (unknown.length > 0) console.error(`No part is called ${unknown.join(", ")}.`);
  console.log(usage);
  process.exitCode = unknown.length > 0 ? 1 : 0;
} else {
  const chosen = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const played = new Map<string, Result>();
  for (const part of chosen) {
    const result = await play(part);
    played.set(part.name, result);
    // After each part, so that a campaign that is ended early keeps what it has.
    const text = readFileSync(document, "utf8");
    writeFileSync(document, replaceTable(text, parts, new Map([...readResults(text), [part.name, result]])));
  }
  console.log(`\n${tableOf(chosen, played)}\n`);
  const failed = [...played.values()].filter(({ isGood }) => !isGood).length;
  console.log(`${played.size - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
