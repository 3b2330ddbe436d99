/**
 * Tells whether the built pages belong to the sources beside them. A build lies in a folder named after the sources'
 * hash, and the file `current` names the folder to serve: builders that run together disturb neither each other nor a
 * server that is reading. This is plain JavaScript without dependencies because the bootstrap asks it at every start.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const root = dirname(folder);

/** What the documentation site is made of, beside the sources here. A test compares it with the list of pages. */
const written = ["docs/guides", "docs/runbooks", "docs", "sdk", "cli", "examples", "."];

export const builtPages = join(folder, "dist");

/** The name of the build that the sources as they are now would give. */
export function sourceStamp() {
  const files = [...sourcesIn(folder), ...written.flatMap(documentsIn), join(root, "package-lock.json")];
  const hash = createHash("sha256");
  for (const file of files) {
    const name = relative(folder, file).split(sep).join("/");
    hash.update(`${name}\0${createHash("sha256").update(readFileSync(file)).digest("hex")}\n`);
  }
  return hash.digest("hex").slice(0, 20);
}

/** The build that is served, if there is one. */
export function builtStamp() {
  const pointer = join(builtPages, "current");
  return existsSync(pointer) ? readFileSync(pointer, "utf8").trim() : undefined;
}

/**
 * @param {string} place
 * @returns {string[]}
 */
function documentsIn(place) {
  const names = readdirSync(join(root, place)).filter((name) => name.endsWith(".md") || name === "openapi.json");
  return names.sort().map((name) => join(root, place, name));
}

/**
 * @param {string} place
 * @returns {string[]}
 */
function sourcesIn(place) {
  return readdirSync(place, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== "dist" && !/\.test\.tsx?$|^tsconfig/.test(name))
    .flatMap((entry) => {
      const path = join(place, entry.name);
      return entry.isDirectory() ? sourcesIn(path) : [path];
    })
    .sort();
}
