/** A release that somebody runs: its files in a folder of their own, with the packages it wants. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
/** The last release; while there is none, a commit whose schema nobody edits any more. A clone may lack the tag. */
const lastRelease = { tag: "v0.3.0", commit: "358b4dcc965b61e227cb5c5bdc9139d9ff3862a9" };

export interface OlderTree {
  readonly commit: string;
  readonly node: string;
  readonly mainFile: string;
  /** What it does on the schema of this tree. */
  readonly onNewSchema: "serves" | "refuses";
}

export interface Release {
  /** As people call it. */
  readonly name: string;
  /** Undefined where git does not have it. */
  readonly commit: string | undefined;
  /** Why it may be missing: a clone without its history, or no clone at all. */
  readonly isCutOff: boolean;
}

/** The one that is asked for, else the newest tag, else the last release by its commit. */
export function findRelease(asked: string | undefined): Release {
  const tag = git("describe", "--tags", "--abbrev=0", "--match", "v*");
  const name = asked ?? tag ?? `${lastRelease.tag} (${lastRelease.commit})`;
  const commit = git("rev-parse", "--verify", "--quiet", `${asked ?? tag ?? lastRelease.commit}^{commit}`);
  return { name, commit, isCutOff: git("rev-parse", "--is-shallow-repository") !== "false" };
}

export function unpackRelease(commit: string, folder: string): OlderTree {
  mkdirSync(folder, { recursive: true });
  const archive = spawnSync("git", ["archive", commit], { cwd: root, maxBuffer: 1e9 });
  run("tar", ["x", "-C", folder], archive.stdout);
  if (wantsOurPackages(folder)) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  else run("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund", "--prefix", folder]);
  const pinned = join(folder, "node_modules", ".bin", "node");
  const server = join(folder, "server", "src");
  return {
    commit,
    node: existsSync(pinned) ? pinned : process.execPath,
    mainFile: join(server, "main.ts"),
    onNewSchema: isOfOlderSchema(folder) ? "refuses" : "serves",
  };
}

/** A migration that it does not know, or a function that a newer version has changed. */
function isOfOlderSchema(place: string): boolean {
  const migrationsOf = (tree: string): string => readdirSync(join(tree, "server", "migrations")).join();
  const schemaOf = (tree: string): string => readFileSync(join(tree, "server", "schema.sql"), "utf8");
  const versionOf = (tree: string): string => JSON.parse(readFileSync(join(tree, "package.json"), "utf8")).version;
  if (migrationsOf(place) !== migrationsOf(root)) return true;
  return versionOf(place) !== versionOf(root) && schemaOf(place) !== schemaOf(root);
}

/** An installation takes a minute; the packages are the same until somebody changes one. */
function wantsOurPackages(folder: string): boolean {
  const packagesOf = (place: string): string => {
    const { dependencies } = JSON.parse(readFileSync(join(place, "server", "package.json"), "utf8"));
    return JSON.stringify(dependencies);
  };
  return packagesOf(folder) === packagesOf(root);
}

function git(...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function run(program: string, words: readonly string[], input?: Buffer): void {
  const { status, stderr } = spawnSync(program, words, { ...(input === undefined ? {} : { input }) });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} failed: ${stderr}`);
}
