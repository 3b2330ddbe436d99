/** The server's files, from the working tree or as a commit has them. */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Texts by their paths from the root of the repository, with forward slashes. */
export type SourceTree = ReadonlyMap<string, string>;

export function readFolder(root: string): SourceTree {
  const paths = globSync(["server/src/**/*.ts", "server/migrations/*.sql", "server/schema.sql"], { cwd: root });
  return new Map(paths.sort().map((path) => [path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")]));
}

export function readRevision(root: string, revision: string): SourceTree {
  const folder = mkdtempSync(join(tmpdir(), "jara-figures-"));
  try {
    const archive = join(folder, "server.tar");
    execFileSync("git", ["archive", "--format=tar", `--output=${archive}`, revision, "--", "server"], { cwd: root });
    execFileSync("tar", ["-xf", archive, "-C", folder]);
    return readFolder(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
