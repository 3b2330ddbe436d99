/** A file of the tree as the tidy rules see it. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

// Taken out once: vitest looks each name up behind a proxy, and these are asked of millions of nodes.
const { forEachChild } = ts;

export interface TreeFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** TypeScript and JavaScript only. */
  readonly syntax: ts.SourceFile | undefined;
}

/** No rule reads the tags of comments. */
const parsing = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };

let newest: ts.SourceFile | undefined;

/** Of the file that is looked at, and no other: the trees of all files together fill hundreds of megabytes. */
function syntaxOf(path: string, text: string): ts.SourceFile {
  if (newest?.fileName !== path || newest.text !== text) newest = ts.createSourceFile(path, text, parsing, true);
  return newest;
}

export function treeFile(path: string, text: string): TreeFile {
  const isCode = /\.(ts|tsx|mjs|js)$/.test(path);
  return {
    path,
    text,
    get syntax() {
      return isCode ? syntaxOf(path, text) : undefined;
    },
  };
}

/** Everything that git knows or would know: neither ignored files nor what was deleted but not yet committed. */
export function readTree(root: string): TreeFile[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  return [...new Set(listed.split("\n"))]
    .filter((path) => path !== "" && existsSync(join(root, path)))
    .sort()
    .map((path) => treeFile(path, readFileSync(join(root, path), "utf8")));
}

export const isTest = (path: string) => /\.test\.tsx?$|^tests\//.test(path);
export const isGenerated = (path: string) =>
  /\.gen\.ts$|^server\/schema\.sql$|^docs\/(errors|events)\.md$|^docs\/openapi.*json$|^package-lock\.json$/.test(path);

/** The line on which a node begins, counted from one. */
export function lineOf(file: ts.SourceFile, node: ts.Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

/** Calls `visit` for every node of the tree. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  forEachChild(node, (child) => walk(child, visit));
}
