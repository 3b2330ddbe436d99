/** Rules about lines, functions, names and places: what a reader sees before reading. A file may have any length. */
import ts from "typescript";
import { isGenerated, lineOf, type TreeFile, walk } from "./file.ts";

// Taken out once: vitest looks each name up behind a proxy, and these are asked of millions of nodes.
const { isCallExpression, isFunctionLike } = ts;

const longestFunction = 60;
const longestLine = 120;

/** A line that is one long text, pattern, address or row of a table cannot be broken and may stay. */
const unbreakable = /^\s*\||^\s*(?:[\w."'-]+(?::| =|\() ?)?["'`/].*["'`/][a-z]*[,;)}]*$|https?:\/\//;

export function lineLength({ path, text }: TreeFile): string[] {
  if (isGenerated(path) || !/\.(ts|tsx|mjs|js|php|sql|sh)$/.test(path)) return [];
  return text.split("\n").flatMap((line, index) => {
    if (line.length <= longestLine || unbreakable.test(line)) return [];
    return [`${path}:${index + 1}: ${line.length} characters; a line has at most ${longestLine}.`];
  });
}

/** Counts the lines from the first of the signature to the closing brace. `describe` only groups tests. */
export function functionLength(file: TreeFile): string[] {
  const { path } = file;
  const syntax = isGenerated(path) ? undefined : file.syntax;
  if (syntax === undefined) return [];
  const found: string[] = [];
  walk(syntax, (node) => {
    if (!isFunctionLike(node) || isGroupOfTests(node)) return;
    const last = syntax.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
    const lines = last - lineOf(syntax, node) + 1;
    if (lines > longestFunction) {
      found.push(`${path}:${lineOf(syntax, node)}: a function of ${lines} lines; it has at most ${longestFunction}.`);
    }
  });
  return found;
}

function isGroupOfTests(node: ts.Node): boolean {
  return isCallExpression(node.parent) && node.parent.expression.getText().startsWith("describe");
}

const kebabCase = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
/** Next.js names a folder after the part of the address that varies. */
const variablePart = /^\[[a-z]+\]$/;
/** systemd names a unit of which there are several so: jara@api.service is one of jara@.service. */
const unitTemplate = /^[a-z]+@\.service$/;
const rootDocuments = /^(?:[A-Z]+\.md|LICENSE|NOTICE|Dockerfile)$/;
const nameForms = [kebabCase, variablePart, unitTemplate, rootDocuments];
const emptyNames = new Set(["utils", "util", "helpers", "helper", "common", "services", "service", "manager", "misc"]);

export function names({ path }: TreeFile): string[] {
  const parts = path.split("/");
  const wrong = parts.filter((part) => !nameForms.some((form) => form.test(part)));
  const empty = parts.filter((part) => emptyNames.has(part.replace(/\..*$/, "")));
  return [
    ...wrong.map((part) => `${path}: "${part}" is not kebab-case.`),
    ...empty.map((part) => `${path}: "${part}" says nothing about what is inside.`),
  ];
}

/** JSON knows no comments; the OpenAPI document says it in a field of its own. */
export function generatedFilesSaySo({ path, text }: TreeFile): string[] {
  if (!isGenerated(path) || path.endsWith(".json")) return [];
  const [first = ""] = text.split("\n", 1);
  return /generated/i.test(first) ? [] : [`${path}: line 1 does not say that the file is generated.`];
}

/** Migrations are numbered without gaps, so that two branches which add the same number meet in a conflict. */
export function migrationNames(files: readonly TreeFile[]): string[] {
  const migrations = files.map(({ path }) => path).filter((path) => path.startsWith("server/migrations/"));
  return migrations.flatMap((path, index) => {
    const expected = String(index + 1).padStart(4, "0");
    const form = new RegExp(`/${expected}-[a-z0-9]+(?:-[a-z0-9]+)*\\.sql$`);
    return form.test(path) ? [] : [`${path}: expected ${expected}-<subject>.sql here.`];
  });
}
