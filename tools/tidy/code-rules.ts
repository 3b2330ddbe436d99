/** Rules about what code may say and where, as far as neither the compiler nor the linter knows them. */
import ts from "typescript";
import { isGenerated, isTest, lineOf, type TreeFile, walk } from "./file.ts";

// Taken out once: vitest looks each name up behind a proxy, and these are asked of millions of nodes.
const {
  isArrayLiteralExpression,
  isAsExpression,
  isCallExpression,
  isClassLike,
  isJsxSpreadAttribute,
  isNewExpression,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isSpreadAssignment,
  isSpreadElement,
  isTaggedTemplateExpression,
  SyntaxKind,
} = ts;

/**
 * Who may read the wall clock. Domain code asks the clock of its environment; keys, merchants, leases, audit, rate
 * limits and the retention of idempotency keys follow real time, and so does what measures or waits.
 */
const wallClockReaders: readonly RegExp[] = [
  /^server\/src\/(main\.ts$|start\/|programs\/)/,
  /^server\/src\/platform\/(logger|metrics|remember|database\/(activity|replicas|tend-connections)|time\/(agenda-runner|run-entries|clock-[a-z-]+)|work\/(batches|rounds|jobs-worker))\.ts$/,
  /^server\/src\/platform\/records\/(audit|idempotency)\.ts$/,
  /^server\/src\/platform\/embedded-postgres\/[a-z-]+\.ts$/,
  /^server\/src\/platform\/http\/(guard|reply|server)\/[a-z-]+\.ts$/,
  /^server\/src\/(auth|console)\/[a-z-]+\.ts$/,
  /^server\/src\/webhooks\/sending\/(send-webhooks\.job|webhook-client)\.ts$/,
  // The demo merchant is a caller of the API, and lets its sandbox catch up with today.
  /^server\/src\/demo\/history\.ts$/,
  /^server\/src\/merchants\/(add-environment|create-merchant)\.ts$/,
  // Providers keep real time, and so does what we know of our connections to them.
  /^server\/src\/rails\/connections\/[a-z-]+(\.job)?\.ts$/,
  /^server\/src\/rails\/(monnify\/client|order-rounds|wait-for-rail)\.ts$/,
  /^server\/src\/reconciliation\/run-limits\.ts$/,
  // A look at a server's machines compares their clocks.
  /^server\/src\/production\/database-facts-store\.ts$/,
  // What a machine's clock shows beside the database's.
  /^server\/src\/queues\/beat\.ts$/,
  // How long it works, and so how long it rests.
  /^server\/src\/verification\/verify-books\.ts$/,
  // How old something is that may go is also a question of real time.
  /^server\/src\/archives\/archive-(events\.job|gauges)\.ts$/,
  // The log of requests keeps real time.
  /^server\/src\/requests\/prune-requests\.job\.ts$/,
];

/** The programs hand their environment to config.ts, which alone knows the names in it. */
const environmentReaders =
  /^server\/src\/(main|start\/config|programs\/[a-z-]+)\.ts$|^server\/testing\/|^(tools|bench|examples|deploy)\/|^vitest\.config\.ts$/;
/** Where SQL has no place: what is said over HTTP, what the house is told of a folder, and what only sets work going. */
const edges = /(routes|schemas|slice|page|view|\.job)\.ts$|\/present-[a-z-]+\.ts$/;
const signalHandlers = /^server\/src\/main\.ts$|^tools\//;

interface CodeRule {
  readonly says: string;
  readonly appliesTo: (path: string) => boolean;
  readonly breaks: (node: ts.Node) => boolean;
}

/** Integrators write `new Jara({ … })`, as they do with every other client; behind it are functions. */
const frontDoor = "sdk/src/jara.ts";

const inServer = (path: string) => path.startsWith("server/src/") && !isTest(path);

const codeRules: readonly CodeRule[] = [
  {
    says: "the type any switches the compiler off",
    appliesTo: () => true,
    breaks: (node) => node.kind === SyntaxKind.AnyKeyword,
  },
  {
    says: "domain code asks the environment's clock, not the wall clock",
    appliesTo: (path) => inServer(path) && !wallClockReaders.some((reader) => reader.test(path)),
    breaks: (node) =>
      (isNewExpression(node) && node.expression.getText() === "Date" && (node.arguments?.length ?? 0) === 0) ||
      isMember(node, /^(Date\.now|Temporal\.Now|performance\.now)$/),
  },
  {
    says: "money is whole kobo; parseFloat and toFixed are floating-point",
    appliesTo: () => true,
    breaks: (node) => isMember(node, /\.toFixed$|^Number\.parseFloat$/) || isCallOf(node, /^parseFloat$/),
  },
  {
    says: "only config.ts and the programs that call it read process.env",
    appliesTo: (path) => !environmentReaders.test(path) && !isTest(path),
    breaks: (node) => isMember(node, /^process\.env$/),
  },
  {
    says: "only main.ts listens to process signals or ends the process",
    appliesTo: (path) => inServer(path) && !signalHandlers.test(path),
    breaks: (node) => isCallOf(node, /^process\.(on|once|exit)$/),
  },
  {
    says: "SQL stands in a store or beside the rules that it serves, never in an edge",
    appliesTo: (path) => inServer(path) && edges.test(path),
    breaks: isSql,
  },
  {
    says: "what is spread here is written out here: name its members in place",
    appliesTo: () => true,
    breaks: isSpreadOfLiteral,
  },
  {
    says: "classes are for errors only",
    appliesTo: (path) => path !== frontDoor,
    breaks: (node) => isClassLike(node) && !extendsError(node),
  },
  {
    says: "a test that is skipped, or that alone runs, hides the others",
    appliesTo: isTest,
    breaks: (node) => isMember(node, /^(describe|test|it)\.(only|skip|todo|fails)$/),
  },
];

export function code(file: TreeFile): string[] {
  const { path } = file;
  const syntax = isGenerated(path) ? undefined : file.syntax;
  if (syntax === undefined) return [];
  const rules = codeRules.filter((rule) => rule.appliesTo(path));
  const found: string[] = [];
  walk(syntax, (node) => {
    for (const rule of rules) {
      if (rule.breaks(node)) found.push(`${path}:${lineOf(syntax, node)}: ${rule.says}.`);
    }
  });
  return found;
}

function isMember(node: ts.Node, form: RegExp): boolean {
  return isPropertyAccessExpression(node) && form.test(node.getText());
}

function isCallOf(node: ts.Node, form: RegExp): boolean {
  return isCallExpression(node) && form.test(node.expression.getText());
}

const statements = /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)$/;

/** A template of kysely's `sql`, or the beginning of one of its statements. */
function isSql(node: ts.Node): boolean {
  if (isTaggedTemplateExpression(node)) return node.tag.getText() === "sql";
  return isPropertyAccessExpression(node) && statements.test(node.name.text);
}

/** `...{ a, b }` and `...[a, b]`, also in brackets or `as const`. A choice between two literals is not a literal. */
function isSpreadOfLiteral(node: ts.Node): boolean {
  if (isSpreadElement(node)) return isArrayLiteralExpression(bare(node.expression));
  const isOfMembers = isSpreadAssignment(node) || isJsxSpreadAttribute(node);
  return isOfMembers && isObjectLiteralExpression(bare(node.expression));
}

function bare(expression: ts.Expression): ts.Expression {
  const isWrapped = isParenthesizedExpression(expression) || isAsExpression(expression);
  return isWrapped ? bare(expression.expression) : expression;
}

function extendsError(node: ts.ClassLikeDeclaration): boolean {
  const parents = node.heritageClauses?.flatMap((clause) => clause.types) ?? [];
  return parents.some((parent) => /Error$|^Problem$/.test(parent.expression.getText()));
}

// Written in two halves so that this file does not find itself.
const unfinished = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|")})\\b`);

export function nothingPutOff({ path, text }: TreeFile): string[] {
  if (isGenerated(path) || path === "LICENSE" || path.startsWith("tools/tidy/")) return [];
  return text.split("\n").flatMap((line, index) => {
    const word = unfinished.exec(line)?.[1];
    return word === undefined ? [] : [`${path}:${index + 1}: ${word} puts work off; do it or open an issue.`];
  });
}
