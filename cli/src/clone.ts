/** The clone of Jara's repository that somebody is in, and its programs. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { CliError } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Surroundings } from "./home.ts";

/** From here upwards. */
export function findClone({ directory }: Surroundings, command: string): string {
  for (let at = directory; ; at = dirname(at)) {
    if (isClone(at)) return at;
    if (dirname(at) !== at) continue;
    const cure = "Change into one: git clone Jara's repository, cd into it, and run npx jara there";
    throw new CliError(exitCodes.usage, `${command} works in a clone of Jara, and this folder is not in one. ${cure}.`);
  }
}

function isClone(folder: string): boolean {
  const file = join(folder, "package.json");
  if (!existsSync(file) || !existsSync(join(folder, "tools", "bootstrap.mjs"))) return false;
  return (JSON.parse(readFileSync(file, "utf8")) as { name?: unknown }).name === "jara";
}

export type Program = ChildProcessByStdio<null, Readable, Readable>;

/** What `npm start` and `npm run` do: the pinned Node, after installing what is missing. */
export function startInClone(clone: string, words: readonly string[], env: Surroundings["env"]): Program {
  const child = spawn(process.execPath, [join(clone, "tools", "bootstrap.mjs"), ...words], {
    cwd: clone,
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  return child;
}
