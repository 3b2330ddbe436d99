/**
 * What squawk does not look for: functions that servers of the version before still call, rows that are all written
 * again, and files that build indexes beside running servers, which the runner takes statement by statement.
 */
import { readStatements, type Statement } from "./statements.ts";

export interface Finding {
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

interface Rule {
  readonly rule: string;
  readonly message: string;
  matches(statement: string): boolean;
}

const rules: readonly Rule[] = [
  {
    rule: "ban-drop-function",
    message: "Servers of the version before may still call it. Make a new one beside it, and drop the old one later.",
    matches: (statement) => /^drop (function|procedure|routine|view|materialized view|type)\b/.test(statement),
  },
  {
    rule: "ban-rename-function",
    message: "Servers of the version before call it by its old name.",
    matches: (statement) =>
      /^alter (function|procedure|routine|view|type)\b.* rename (to|value|attribute)\b/.test(statement),
  },
  {
    rule: "ban-whole-table-write",
    message: "Writes every row of a table in one transaction. Do it in steps, in the background.",
    matches: (statement) =>
      (/^(update|delete from)\b/.test(statement) && !/ where /.test(statement)) ||
      /^(truncate|cluster|vacuum full|vacuum \(full|reindex)\b/.test(statement),
  },
];

/** A sentence that somebody wrote for the next reader. */
const reason = /^\s*-- safe because .{10,}/;
/** As squawk takes it: anywhere in a comment, of a rule, of all, or for the whole file. */
const waiver = /squawk-ignore/;
const namedWaiver = /^\s*-- squawk-ignore \S/;

export const buildsIndexesBeside = (sql: string): boolean =>
  readStatements(sql).some(({ text }) => text.includes(" index concurrently "));

export function applyOwnRules(sql: string): Finding[] {
  const lines = sql.split("\n");
  const statements = readStatements(sql);
  const broken = statements.flatMap(({ text, line }) =>
    rules
      .filter((rule) => rule.matches(text) && !reason.test(lines[line - 2] ?? ""))
      .map(({ rule, message }) => ({ line, rule, message })),
  );
  return [...broken, ...refuseBareWaivers(lines), ...(buildsIndexesBeside(sql) ? judgeIndexes(statements) : [])];
}

/** squawk leaves out what a comment tells it to; without a reason the next reader learns nothing from that. */
function refuseBareWaivers(lines: readonly string[]): Finding[] {
  return lines.flatMap((text, index) => {
    if (!waiver.test(text) || (namedWaiver.test(text) && reason.test(lines[index - 1] ?? ""))) return [];
    const message =
      'A line of its own names the rule, the line above says "-- safe because …"; a whole file is never left out.';
    return [{ line: index + 1, rule: "waiver-without-reason", message }];
  });
}

/** A build that was cut off leaves an invalid index behind, so the next try begins by dropping it. */
function judgeIndexes(statements: readonly Statement[]): Finding[] {
  return statements.flatMap(({ text, line }, index) => {
    if (/^drop index concurrently if exists \w+$/.test(text)) return [];
    const name = /^create (?:unique )?index concurrently (\w+) on /.exec(text)?.[1];
    const rule = "index-of-its-own";
    if (name === undefined) {
      return [
        { line, rule, message: "A file that builds an index concurrently runs without a transaction: only that." },
      ];
    }
    if (statements[index - 1]?.text === `drop index concurrently if exists ${name}`) return [];
    return [{ line, rule, message: `Drop it first, "concurrently if exists": ${name} may be half built.` }];
  });
}
