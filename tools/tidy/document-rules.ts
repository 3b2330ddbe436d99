/**
 * Rules about documents: a folder's README names every file in it, and no document names a file that is gone or a tag
 * that may not be there.
 */
import { dirname, join } from "node:path/posix";
import { isGenerated, isTest, type TreeFile } from "./file.ts";

/** `platform` is a house of its own: its README names the rooms, and the file names in them say the rest. */
const domainFile = /^server\/src\/(?!platform\/)[^/]+\/.+\.ts$/;

/** The nearest README at or above a source file names it in backticks, by its path from there. */
export function readmeNamesFiles(files: readonly TreeFile[]): string[] {
  const readmes = new Map(files.filter(isReadme).map(({ path, text }) => [path, text]));
  const sources = files.filter(({ path }) => domainFile.test(path) && !isTest(path) && !isGenerated(path));
  return sources.flatMap(({ path }) => {
    const readme = nearestReadme(path, readmes);
    if (readme === undefined) return [`${path}: no README.md of its folder says what it is for.`];
    const name = path.slice(dirname(readme).length + 1);
    return readmes.get(readme)?.includes(`\`${name}\``) ? [] : [`${readme}: does not say what \`${name}\` is for.`];
  });
}

const isReadme = ({ path }: TreeFile) => path.endsWith("/README.md");

function nearestReadme(path: string, readmes: ReadonlyMap<string, string>): string | undefined {
  const parts = path.split("/");
  const above = parts.map((_, index) => [...parts.slice(0, index), "README.md"].join("/")).slice(3);
  return above.reverse().find((readme) => readmes.has(readme));
}

/** A path of this repository as documents write it: small letters, and the ending of a source file. */
const filePath = /`((?:\.\.\/)*[a-z0-9][a-z0-9._/-]*\.(?:tsx?|mjs|sql|css|py|php|tsv))`/g;
const link = /\]\(([^)\s]+)\)/g;

/** A file is named from the document's folder, from server/src or from the root; outside of READMEs also by itself. */
export function documentsNameFiles(files: readonly TreeFile[]): string[] {
  const paths = new Set(files.flatMap(({ path }) => withFolders(path)));
  const names = new Set(files.map(({ path }) => path.slice(path.lastIndexOf("/") + 1)));
  const documents = files.filter(({ path }) => path.endsWith(".md") && !isGenerated(path));
  return documents.flatMap(({ path, text }) => {
    const here = dirname(path);
    const isThere = (named: string) =>
      [here, "server/src", "."].some((start) => paths.has(join(start, named))) ||
      (!path.startsWith("server/src/") && names.has(named));
    const named = [...text.matchAll(filePath)].map(([, file = ""]) => file).filter((file) => !isThere(file));
    const targets = [...text.matchAll(link)].map(([, target = ""]) => target.replace(/#.*$/, ""));
    const dead = targets.filter((target) => isOurs(target) && !paths.has(join(here, target).replace(/\/$/, "")));
    return [...new Set([...named, ...dead])].map((file) => `${path}: there is no \`${file}\`.`);
  });
}

const tag = /\bv\d+\.\d+\.\d+\b/g;

/** Which tags there are is known to the repository that a reader clones from, not to its files. */
export function documentsNameNoTag({ path, text }: TreeFile): string[] {
  if (!path.endsWith(".md")) return [];
  return [...new Set(text.match(tag))].map((name) => `${path}: the tag ${name} may not exist; write <tag>.`);
}

function isOurs(target: string): boolean {
  return target !== "" && !/^[a-z]+:/.test(target);
}

/** A path and every folder on the way to it. */
function withFolders(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
