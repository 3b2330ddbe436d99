/**
 * The figures that show how simple the code is, and their table. They compare one commit with another, so each counts
 * something that every version of the tree has. Tests and generated files do not count.
 */
import { basename, dirname, join } from "node:path/posix";
import ts from "typescript";
import type { SourceTree } from "./source-tree.ts";

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit?: "%";
}

export function measure(tree: SourceTree): Figure[] {
  const sources = new Map(
    [...tree].filter(([path]) => /^server\/src\/.*\.ts$/.test(path) && !/\.(test|gen)\.ts$/.test(path)),
  );
  return [
    ...migrationFigures(tree),
    ...functionFigures(tree.get("server/schema.sql") ?? ""),
    ...fileFigures(sources),
    ...payoutFigures(sources),
    ...twinFigures(sources),
  ];
}

function migrationFigures(tree: SourceTree): Figure[] {
  const texts = [...tree].filter(([path]) => path.startsWith("server/migrations/")).map(([, text]) => text);
  return [
    { name: "migrations", value: texts.length },
    { name: "migrations, lines", value: totalLines(texts) },
  ];
}

/** A function or procedure as `server/schema.sql` writes it, from its name to the end of its body. */
const sqlFunction =
  /^create (?:or replace )?(?:function|procedure) (?:[a-z_]+\.)?(?<name>\w+)[\s\S]*?^(?:\$\w*\$;?|end;|return [\s\S]*?;)$/gim;

/** Tables whose rows are orders to a rail, in the names of functions. */
const orderTable = /card_(?:charge|refund)s?|charges?|transfers?|bills?/g;

/**
 * All functions of the schema, and those that exist once for each table of orders: their names are equal when the
 * table's name is taken out, such as `claim_bills` and `claim_transfers`.
 */
function functionFigures(schema: string): Figure[] {
  const functions = [...schema.matchAll(sqlFunction)].map(([text, name = ""]) => ({ name, text }));
  const byPurpose = Map.groupBy(functions, ({ name }) => name.replaceAll(orderTable, "order"));
  const repeated = [...byPurpose.values()].filter((same) => new Set(same.map(({ name }) => name)).size > 1).flat();
  return [
    { name: "SQL functions", value: functions.length },
    { name: "SQL functions, lines", value: totalLines(functions.map(({ text }) => text)) },
    { name: "SQL functions, one for each table of orders", value: repeated.length },
    {
      name: "SQL functions, one for each table of orders, lines",
      value: totalLines(repeated.map(({ text }) => text)),
    },
  ];
}

function fileFigures(sources: SourceTree): Figure[] {
  const importers = new Map<string, number>();
  for (const path of [...sources].flatMap(([path, text]) => importsOf(path, text))) {
    importers.set(path, (importers.get(path) ?? 0) + 1);
  }
  const count = (isCounted: (path: string, text: string) => boolean) =>
    [...sources].filter(([path, text]) => isCounted(path, text)).length;
  return [
    { name: "source files of server/src", value: sources.size },
    { name: "source files, under 20 lines", value: count((_path, text) => lineCount(text) < 20) },
    { name: "source files, imported by one other", value: count((path) => importers.get(path) === 1) },
    { name: "source files, directly in server/src", value: count((path) => dirname(path) === "server/src") },
    { name: "source lines of server/src", value: totalLines([...sources.values()]) },
  ];
}

/** The road of a payout: what a reader has to know, without the adapters of providers and what lies deeper. */
const roadOfPayout = /^server\/src\/(?:(?:transfers|orders|ledger|platform\/work)\/|rails\/[^/]+$)/;
const acceptsPayouts = /method: "POST",\s+path: "\/transfers",/;
const worksOnPayouts = /^server\/src\/(?:transfers|orders)\/.*\.job\.ts$/;

/**
 * Everything that `POST /transfers` and its worker import, types included, directly or through other files. The walk
 * begins at the file that describes the route and at the jobs of `transfers` and `orders`. It stays in these two
 * folders, `ledger`, `platform/work` and the files directly in `rails`.
 */
function payoutFigures(sources: SourceTree): Figure[] {
  const road = new Map([...sources].filter(([path]) => roadOfPayout.test(path)));
  const found = new Set(
    [...road].filter(([path, text]) => acceptsPayouts.test(text) || worksOnPayouts.test(path)).map(([path]) => path),
  );
  // A set may grow while it is walked: what is added comes last.
  for (const path of found) {
    for (const imported of importsOf(path, road.get(path) ?? "")) {
      if (road.has(imported)) found.add(imported);
    }
  }
  const texts = [...found].map((path) => road.get(path) ?? "");
  return [
    { name: "files behind POST /transfers and its worker", value: texts.length },
    { name: "files behind POST /transfers and its worker, lines", value: totalLines(texts) },
  ];
}

/** Our files that a file imports, each once. */
function importsOf(path: string, text: string): string[] {
  const named = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return [...new Set(named.filter((name) => name.startsWith(".")).map((name) => join(dirname(path), name)))];
}

/** What bills call what transfers call otherwise. */
const twinWords: readonly (readonly [RegExp, string])[] = [
  [/biller/gi, "bank"],
  [/bill|vend|payout/gi, "transfer"],
  [/request(?=-?_?id)/gi, "session"],
];

/**
 * Of the lines in files of `transfers` that have a twin in `bills` (a file of the same name after renaming, in whatever
 * room), those that stand in the twin too, in the same order. Blank lines, imports and comments are left out.
 */
function twinFigures(sources: SourceTree): Figure[] {
  const ofFolder = (folder: string) =>
    new Map(
      [...sources]
        .filter(([path]) => path.startsWith(`server/src/${folder}/`))
        .map(([path, text]) => [renamed(basename(path)), comparedLines(text)]),
    );
  const bills = ofFolder("bills");
  const pairs = [...ofFolder("transfers")].flatMap(([name, lines]) => {
    const twin = bills.get(name);
    return twin === undefined ? [] : [{ all: lines.length, shared: sharedLines(lines, twin) }];
  });
  const shared = pairs.reduce((sum, pair) => sum + pair.shared, 0);
  const all = pairs.reduce((sum, pair) => sum + pair.all, 0);
  return [
    { name: "twins transfers ~ bills, equal lines", value: shared },
    { name: "twins transfers ~ bills, share", value: all === 0 ? 0 : Math.round((shared * 100) / all), unit: "%" },
  ];
}

/** Words keep no capitals, so that `createBill` and `create-bill` are renamed alike. */
function renamed(text: string): string {
  return twinWords.reduce((result, [word, other]) => result.replaceAll(word, other), text).toLowerCase();
}

function comparedLines(text: string): string[] {
  const lines = renamed(text).split("\n");
  return lines.map((line) => line.trim()).filter((line) => !/^(?:$|import |\} from |\/\*|\*|\/\/)/.test(line));
}

/** The length of the longest sequence of lines that both have. */
function sharedLines(lines: readonly string[], others: readonly string[]): number {
  let above = others.map(() => 0);
  for (const line of lines) {
    const here: number[] = [];
    for (const [index, other] of others.entries()) {
      const skipped = Math.max(above[index] ?? 0, here[index - 1] ?? 0);
      here.push(line === other ? (above[index - 1] ?? 0) + 1 : skipped);
    }
    above = here;
  }
  return above.at(-1) ?? 0;
}

function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function totalLines(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + lineCount(text), 0);
}

interface Column {
  readonly title: string;
  readonly figures: readonly Figure[];
}

/** A table of Markdown, so that it can be copied into a text. Every column has the same figures in the same order. */
export function figureTable(columns: readonly Column[]): string {
  const names = columns[0]?.figures.map(({ name }) => name) ?? [];
  const cells = [
    ["figure", ...columns.map(({ title }) => title)],
    ...names.map((name, row) => [name, ...columns.map(({ figures }) => shown(figures[row]))]),
  ];
  const widths = (cells[0] ?? []).map((_title, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => {
    const padded = widths.map((width, column) => pad(row[column] ?? "", width, column));
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  const [head = [], ...rows] = cells;
  return [head, rule, ...rows].map(line).join("\n");
}

function shown(figure: Figure | undefined): string {
  if (figure === undefined) return "";
  const number = figure.value.toLocaleString("en");
  return figure.unit === undefined ? number : `${number} ${figure.unit}`;
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
