/** Where the command writes: tables and colour on a terminal, JSON for scripts, plain text in a pipe. */
import Table from "cli-table3";
import { createColors } from "picocolors";

export interface Screen {
  readonly isJson: boolean;
  readonly isTerminal: boolean;
  /** How many characters fit; a pipe takes any number. */
  readonly width: number;
  readonly colors: ReturnType<typeof createColors>;
  line(text: string): void;
  /** Remarks that are no result: they go to standard error, so that a pipe gets results only. */
  remark(text: string): void;
  /** What is under way, on one line that the next one takes; for terminals only. */
  progress(text: string): void;
  /** One record: JSON, or its fields one below the other. */
  record(value: object, fields: Fields): void;
  /** Many: JSON, or a table. A terminal that is too narrow gets one record below the other. */
  records(values: readonly object[], columns: Columns, empty: string): void;
}

/** A label and what stands beside it; an empty text is left out. */
export type Fields = readonly (readonly [label: string, text: string])[];

export interface Columns {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface ScreenOptions {
  readonly json?: boolean | undefined;
  readonly out: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  readonly err: ScreenOptions["out"];
  readonly color: boolean;
}

const gap = 2;
const usualColumns = 80;
const clearLine = `${String.fromCharCode(27)}[2K`;

export function createScreen({ json = false, out, err, color }: ScreenOptions): Screen {
  const colors = createColors(color);
  const width = out.columns ?? Number.POSITIVE_INFINITY;
  const line = (text: string): void => void out.write(`${json ? text : harmless(text)}\n`);
  const showFields = (fields: Fields): void => {
    const shown = fields.filter(([, text]) => text !== "");
    const widest = Math.max(...shown.map(([label]) => label.length));
    for (const [label, text] of shown) line(`${colors.dim(label.padEnd(widest))}  ${text}`);
  };
  return {
    isJson: json,
    isTerminal: out.isTTY === true,
    width,
    colors,
    line,
    remark: (text) => void err.write(`${harmless(text)}\n`),
    progress: (text) => {
      if (json || err.isTTY !== true) return;
      err.write(`\r${clearLine}${text.slice(0, (err.columns ?? usualColumns) - 1)}`);
    },
    record: (value, fields) => (json ? line(JSON.stringify(value, null, 2)) : showFields(fields)),
    records(values, { head, rows }, empty) {
      if (json) return line(JSON.stringify(values, null, 2));
      if (rows.length === 0) return line(empty);
      if (widthOf(head, rows) <= width) {
        return line(tableOf(head.map(colors.dim), rows));
      }
      for (const [at, row] of rows.entries()) {
        if (at > 0) line("");
        showFields(head.map((label, column) => [label.trim(), (row[column] ?? "").trim()]));
      }
    },
  };
}

function widthOf(head: readonly string[], rows: readonly (readonly string[])[]): number {
  return head.reduce((sum, label, column) => {
    const widest = Math.max(label.length, ...rows.map((row) => plain(row[column] ?? "").length));
    return sum + widest + gap;
  }, 0);
}

/** What a merchant or a customer typed must not move the cursor or clear the screen: only colours are let through. */
function harmless(text: string): string {
  return text.replaceAll(controls, (found) => (found.length > 1 ? found : "·"));
}

const controls = new RegExp(String.raw`${String.fromCharCode(27)}\[\d+m|[^\P{Cc}\n]`, "gu");

/** Without colour. */
export function plain(text: string): string {
  return text.replaceAll(new RegExp(String.raw`${String.fromCharCode(27)}\[\d+m`, "g"), "");
}

/** A narrow terminal gets the beginning of a long line, without colour. */
export function cut(text: string, room: number): string {
  const bare = plain(text);
  return bare.length <= room ? text : `${bare.slice(0, Math.max(room - 1, 1))}…`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const nothing = { top: "", mid: "", bottom: "", left: "", right: "", middle: "" };
  const chars = {
    ...nothing,
    "top-mid": "",
    "top-left": "",
    "top-right": "",
    "bottom-mid": "",
    "bottom-left": "",
    "bottom-right": "",
    "left-mid": "",
    "mid-mid": "",
    "right-mid": "",
  };
  const style = { "padding-left": 0, "padding-right": gap, head: [], border: [] };
  const table = new Table({ head: [...head], chars, style });
  table.push(...rows.map((row) => row.map((cell) => cell.replaceAll(/[\r\n]+/g, " "))));
  return table
    .toString()
    .split("\n")
    .map((text) => text.trimEnd())
    .join("\n");
}
