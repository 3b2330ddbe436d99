/** A project that has nothing but the packed SDK in it, as an integrator's has. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import { root } from "../document/document.ts";

const run = promisify(execFile);

export interface EmptyProject {
  readonly folder: string;
  /** The packed file, in bytes, and the names in it. */
  readonly packed: { readonly size: number; readonly files: readonly string[] };
  write(name: string, text: string): Promise<void>;
  /** What the compiler says; empty when all is well. */
  compile(compiler: Compiler, settings?: object): Promise<string>;
  /** Borrows packages of this repository, such as types of Node. */
  borrow(...packages: string[]): Promise<void>;
}

export type Compiler = "typescript" | "typescript-native";

const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  target: "es2022",
  lib: ["es2022"],
  module: "nodenext",
  types: [] as string[],
  outDir: "out",
  rootDir: ".",
};

export async function createEmptyProject(): Promise<EmptyProject> {
  const place = await mkdtemp(join(tmpdir(), "jara-sdk-"));
  afterAll(() => rm(place, { recursive: true, force: true }));
  const [built, folder] = [join(place, "built"), join(place, "project")];
  await mkdir(folder);
  await run(process.execPath, [join(root, "sdk", "build.ts"), built]);
  const { stdout } = await run("npm", ["pack", built, "--json", "--pack-destination", place], { cwd: place });
  const [{ filename, size, files }] = JSON.parse(stdout) as [Packed];
  await writeFile(join(folder, "package.json"), '{ "name": "empty", "private": true, "type": "module" }\n');
  await run("npm", ["install", join(place, filename), "--offline", "--no-audit", "--no-fund"], { cwd: folder });
  return {
    folder,
    packed: { size, files: files.map(({ path }) => path) },
    write: (name, text) => writeFile(join(folder, name), text),
    async compile(compiler, settings = {}) {
      await writeFile(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions: { ...strict, ...settings }, include: ["*.ts"] }),
      );
      const program = join(root, "node_modules", compiler, "bin", "tsc");
      return run(process.execPath, [program, "-p", folder]).then(
        ({ stdout: said }) => said,
        (failed: { stdout: string }) => failed.stdout,
      );
    },
    async borrow(...packages) {
      for (const name of packages) {
        await mkdir(join(folder, "node_modules", name, ".."), { recursive: true });
        await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
      }
    },
  };
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** A Node 20: the machine's if it is one, else npm's, fetched once. */
export async function findNode20(): Promise<string> {
  const { stdout } = await run("sh", ["-c", "which -a node || true"]);
  for (const candidate of stdout.trim().split("\n")) {
    if ((await versionOf(candidate)).startsWith("v20.")) return candidate;
  }
  const cache = join(root, "node_modules", ".cache", "node-20");
  const fetched = join(cache, "node_modules", ".bin", "node");
  if (!(await versionOf(fetched)).startsWith("v20.")) {
    await mkdir(cache, { recursive: true });
    await writeFile(join(cache, "package.json"), '{ "private": true }\n');
    const isAppleSilicon = process.platform === "darwin" && process.arch === "arm64";
    const name = `node-${isAppleSilicon ? "bin-" : ""}${process.platform}-${process.arch}`;
    await run("npm", ["install", `${name}@20`, "--no-audit", "--no-fund"], { cwd: cache });
  }
  return fetched;
}

async function versionOf(node: string): Promise<string> {
  try {
    return (await run(node, ["--version"])).stdout;
  } catch {
    return "";
  }
}

/** Express is not ours: npm's, fetched once, and undefined where it cannot be had. */
export async function findExpress(): Promise<string | undefined> {
  const cache = join(root, "node_modules", ".cache", "express");
  const modules = join(cache, "node_modules");
  if (existsSync(join(modules, "express", "package.json"))) return modules;
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, "package.json"), '{ "private": true }\n');
  return run("npm", ["install", "express@5", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: cache }).then(
    () => modules,
    () => undefined,
  );
}

export interface Runtime {
  readonly name: "Deno" | "Bun";
  readonly program: string;
  /** Before the script. */
  readonly words: readonly string[];
}

/** Deno and Bun, where the machine has them or `DENO` and `BUN` name them. What is missing is said, not hidden. */
export async function findRuntimes(): Promise<Runtime[]> {
  const { DENO = "deno", BUN = "bun" } = process.env;
  const known: Runtime[] = [
    { name: "Deno", program: DENO, words: ["run", "--no-prompt", "--allow-net=127.0.0.1", "--allow-read"] },
    { name: "Bun", program: BUN, words: ["run"] },
  ];
  const found = await Promise.all(known.map(async (runtime) => (await versionOf(runtime.program)) !== ""));
  for (const { name } of known.filter((_, place) => !found[place])) {
    const variable = name.toUpperCase();
    console.warn(`\n!!! The SDK was NOT tested with ${name}: put it on PATH, or set ${variable} to its program.\n`);
  }
  return known.filter((_, place) => found[place]);
}
