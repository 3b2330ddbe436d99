/**
 * Where the server lies as a few files instead of three thousand modules, which takes a start three quarters of its
 * processor time. A bundle lies in a folder named after the hash of what it was made of, so that nobody runs an old one
 * and two who make it together do not disturb each other. This is plain JavaScript without dependencies because the
 * bootstrap asks it at every start.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, "server", "src");

export const serverSource = join(sources, "main.ts");
export const serverBundles = join(root, "node_modules", ".cache", "server");

/** The name of the bundle that the sources as they are now would give. Paths of this machine are part of a bundle. */
export function serverStamp() {
  const hash = createHash("sha256").update(`${root}\0`);
  const others = ["server/package.json", "package-lock.json", "tools/bundle-server.ts"].map((name) => join(root, name));
  for (const file of [...sourcesIn(sources), ...others]) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 20);
}

/** The program to run: the bundle if it was made of the sources as they are now, else the sources themselves. */
export function serverProgram(stamp = serverStamp()) {
  const bundle = join(serverBundles, stamp, "main.js");
  return existsSync(bundle) ? bundle : serverSource;
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sourcesIn(path);
      return /\.md$|\.test\.ts$/.test(entry.name) ? [] : [path];
    })
    .sort();
}
