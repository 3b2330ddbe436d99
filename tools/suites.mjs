/**
 * Which tests `npm test` means (docs/adr/0033-two-rings.md): those beside the code, unless its words name others, and
 * with `--changed` those that what was changed concerns.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const besideTheCode = ["--project=!product", "--project=!campaign"];

/**
 * What a change in a folder concerns, as parts of paths of test files; the first that fits counts. The server is behind
 * every door, so a change in it concerns everything, as does whatever is not listed here.
 *
 * @type {readonly (readonly [RegExp, readonly string[]])[]}
 */
const concerns = [
  [/^web\/(site|docs)\//, ["web/site", "web/docs", "tests/browser/docs", "tests/browser/reference"]],
  [/^web\//, ["web/", "tests/browser/"]],
  [/^cli\//, ["cli/", "tests/cli/"]],
  [/^sdk\//, ["sdk/", "tests/sdk/", "cli/", "tests/cli/"]],
  [/^(docs\/|[^/]+\.md$)/, ["web/site", "docs-site", "tests/document/", "tests/e2e/examples", "tests/sdk/readme"]],
  [/^examples\//, ["tests/examples/", "tests/document/"]],
  [/^deploy\//, ["deploy/", "tests/document/", "tests/e2e/watching"]],
  [/^bench\//, ["bench/"]],
  [/^tests\/[^/]+\//, []],
  [/^tools\/(check|budget|campaign|tidy|boundaries|replies|twins)\//, ["tools/"]],
];

/**
 * Vitest's words, with the tests of the product left out where nobody asked for them. A caller asks by a project, or by
 * a part of a file's path as vitest compares it.
 *
 * @param {string} root
 * @param {readonly string[]} words
 * @returns {string[]}
 */
export function chooseSuite(root, words) {
  const since = words.find((word) => /^--changed(=|$)/.test(word));
  if (since !== undefined) {
    const rest = words.filter((word) => word !== since);
    return [...chosenBy(changedFiles(root, since.split("=")[1] ?? "HEAD")), ...rest];
  }
  const files = testFiles(root);
  const asks = words.some((word) => (word.startsWith("-") ? word.startsWith("--project") : names(root, word, files)));
  return asks ? [...words] : [...besideTheCode, ...words];
}

/**
 * Everything that protects a change, or the parts of it that these files concern.
 *
 * @param {readonly string[]} files
 * @returns {string[]}
 */
export function chosenBy(files) {
  const everything = ["--project=!campaign"];
  if (files.length === 0) return [...everything, "--passWithNoTests"];
  const parts = new Set();
  for (const file of files) {
    const found = concerns.find(([place]) => place.test(file));
    if (found === undefined) return everything;
    const [place, concerned] = found;
    for (const part of concerned.length > 0 ? concerned : [(file.match(place) ?? [""])[0]]) parts.add(part);
  }
  return [...everything, "--passWithNoTests", ...parts];
}

/**
 * What differs from a commit, and what git does not know yet.
 *
 * @param {string} root
 * @param {string} since
 */
export function changedFiles(root, since) {
  const git = (/** @type {string[]} */ ...words) => {
    const { status, stdout, stderr } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr.trim()}`);
    return stdout.split("\n").filter((line) => line !== "");
  };
  return [...git("diff", "--name-only", since), ...git("ls-files", "--others", "--exclude-standard")];
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
  return found.filter((file) => /\.(test|campaign)\.ts$/.test(file)).map((file) => join("tests", file).toLowerCase());
}
