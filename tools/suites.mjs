/** Which tests `npm test` means: those beside the code, unless its words name others (docs/adr/0031-two-suites.md). */
import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/**
 * Vitest's words, with the product's tests left out where nobody asked for them. A caller asks by a project, or by a
 * part of a file's path as vitest compares it.
 *
 * @param {string} root
 * @param {readonly string[]} words
 * @returns {string[]}
 */
export function chooseSuite(root, words) {
  const files = testFiles(root);
  const asks = words.some((word) => (word.startsWith("-") ? word.startsWith("--project") : names(root, word, files)));
  return asks ? [...words] : ["--project=!product", ...words];
}

/**
 * @param {string} root
 * @param {string} word
 * @param {readonly string[]} files
 */
function names(root, word, files) {
  const part = relative(root, resolve(root, word.replace(/:\d+$/, ""))).toLowerCase();
  return files.some((file) => file.includes(part));
}

/** @param {string} root */
function testFiles(root) {
  const folder = join(root, "tests");
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return found.filter((file) => file.endsWith(".test.ts")).map((file) => join("tests", file).toLowerCase());
}
