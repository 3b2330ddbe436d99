/** docs/campaigns.md: when each part of the campaign was last played, and what came of it. */
import type { Part } from "./parts.ts";

export interface Result {
  readonly part: string;
  readonly isGood: boolean;
  readonly figure: string;
  readonly seconds: number;
  readonly processorSeconds: number | undefined;
  readonly commit: string;
  /** 2026-11-19. */
  readonly date: string;
}

/** What a part comes to in one line: the count of its tests, else the last thing that it says. */
export function figureIn(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const counts = lines.findLast((line) => /^\d+ passed, \d+ failed/.test(line));
  return (counts ?? lines.findLast((line) => line !== "") ?? "").replaceAll("|", "/").slice(0, 160);
}

const columns = ["Part", "Result", "Figure", "Minutes", "Processor minutes", "Commit", "Date", "What it shows"];

export function tableOf(parts: readonly Part[], results: ReadonlyMap<string, Result>): string {
  const rows = parts.map(({ name, shows }) => {
    const result = results.get(name);
    if (result === undefined) return [name, "not played yet", "", "", "", "", "", shows];
    const { isGood, figure, seconds, processorSeconds, commit, date } = result;
    const spent = processorSeconds === undefined ? "" : minutes(processorSeconds);
    return [name, isGood ? "passed" : "**failed**", figure, minutes(seconds), spent, commit, date, shows];
  });
  return [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const oneDecimal = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function minutes(seconds: number): string {
  return oneDecimal.format(seconds / 60);
}

/** The table is the last thing in the document. */
function splitAtTable(document: string): [before: string, table: string] {
  const start = document.indexOf(`| ${columns[0]} |`);
  if (start < 0) throw new Error(`docs/campaigns.md has no table that begins with a column "${columns[0]}".`);
  return [document.slice(0, start), document.slice(start)];
}

/** The results that the document tells, so that playing one part keeps what is known of the others. */
export function readResults(document: string): Map<string, Result> {
  const lines = splitAtTable(document)[1].split("\n").slice(2);
  const results = lines.flatMap((line): [string, Result][] => {
    const [part = "", result, figure = "", wall, spent = "", commit = "", date = ""] = line
      .replace(/^\| | \|$/g, "")
      .split(" | ");
    if (result !== "passed" && result !== "**failed**") return [];
    const processorSeconds = spent === "" ? undefined : Number(spent) * 60;
    return [
      [part, { part, isGood: result === "passed", figure, seconds: Number(wall) * 60, processorSeconds, commit, date }],
    ];
  });
  return new Map(results);
}

export function replaceTable(document: string, parts: readonly Part[], results: ReadonlyMap<string, Result>): string {
  return `${splitAtTable(document)[0]}${tableOf(parts, results)}\n`;
}
