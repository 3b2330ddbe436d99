/**
 * Whether a migration can run while servers of the last release are at work: squawk's rules and a few of our own. The
 * runner itself waits for locks in small steps, so no file has to say so.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { applyOwnRules, buildsIndexesBeside, type Finding } from "./own-rules.ts";

/** Up to this number a migration is older than the last release, or came with it, and is not looked at. */
export const newestReleased = 14;

/** The program itself: the command of its package is a script that starts a Node for each file, ten times the work. */
const squawk = pathOfSquawk();

function pathOfSquawk(): string {
  const { getBinaryPath }: { getBinaryPath(): string } = createRequire(import.meta.url)("squawk-cli/js/index.js");
  return getBinaryPath();
}

/** Not about running servers, or done by the runner (lock time-outs), or undone by its transaction. */
const otherPeoplesTaste = [
  "prefer-bigint-over-int",
  "prefer-bigint-over-smallint",
  "prefer-robust-stmts",
  "require-lock-timeout",
  "require-statement-timeout",
];

export function isReleased(name: string): boolean {
  return Number(name.slice(0, 4)) <= newestReleased;
}

export function lintMigration(sql: string): Finding[] {
  return [...askSquawk(sql), ...applyOwnRules(sql)].sort((one, other) => one.line - other.line);
}

interface Report {
  readonly line: number;
  readonly rule_name: string;
  readonly message: string;
}

function askSquawk(sql: string): Finding[] {
  const words = ["--pg-version", "15.0", "--reporter", "json", "--stdin-filepath", "migration.sql"];
  const left = ["--exclude", otherPeoplesTaste.join(",")];
  const manner = buildsIndexesBeside(sql) ? [] : ["--assume-in-transaction"];
  const asked = spawnSync(squawk, [...words, ...left, ...manner], { input: sql, encoding: "utf8" });
  if (asked.error !== undefined || asked.stdout === "") {
    throw new Error(`squawk does not run: ${asked.error?.message ?? asked.stderr}`);
  }
  const reports: readonly Report[] = JSON.parse(asked.stdout);
  return reports.map(({ line, rule_name: rule, message }) => ({ line: line + 1, rule, message }));
}
