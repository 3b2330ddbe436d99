/**
 * Programs that outlive the command which started them. Each leaves its number and the moment of its start in a file:
 * the next command finds it by them, also after a crash, and never takes a stranger with the same number for it.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Account, identityOf } from "../../server/src/platform/embedded-postgres/account.ts";
import { logFileOf } from "./layout.ts";

export interface Program {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
  /** Ours, when it is not said. */
  readonly account?: Account;
}

interface Left {
  readonly pid: number;
  /** In the kernel's own count since the machine was started. */
  readonly since: string;
}

const pidFile = (folder: string, name: string): string => join(folder, "pids", `${name}.json`);

export function startProgram(folder: string, program: Program): void {
  const { name, command, environment = {}, account } = program;
  const file = pidFile(folder, name);
  for (const path of [file, logFileOf(folder, name)]) mkdirSync(dirname(path), { recursive: true });
  const log = openSync(logFileOf(folder, name), "a");
  const [first, ...rest] = [...(account?.prefix ?? []), ...command];
  const child = spawn(first ?? command[0], rest, {
    ...(account === undefined ? {} : identityOf(account)),
    cwd: "/",
    env: { ...process.env, ...environment },
    stdio: ["ignore", log, log],
    // A group of its own: Ctrl-C in the terminal is for us, and we stop it in its turn.
    detached: true,
  });
  closeSync(log);
  child.on("error", () => undefined);
  child.unref();
  const since = child.pid === undefined ? undefined : startOf(child.pid);
  if (child.pid === undefined || since === undefined) {
    throw new Error(`${name} did not start; see ${logFileOf(folder, name)}`);
  }
  writeFileSync(file, JSON.stringify({ pid: child.pid, since } satisfies Left));
}

/** The process of this name, if it lives. */
export function findProcess(folder: string, name: string): number | undefined {
  const file = pidFile(folder, name);
  if (!existsSync(file)) return undefined;
  const left = JSON.parse(readFileSync(file, "utf8")) as Left;
  return startOf(left.pid) === left.since ? left.pid : undefined;
}

/** The names of everything that was started in this folder and lives. */
export function livingProcesses(folder: string): string[] {
  const pids = join(folder, "pids");
  if (!existsSync(pids)) return [];
  const names = readdirSync(pids).map((name) => name.replace(/\.json$/, ""));
  return names.filter((name) => findProcess(folder, name) !== undefined).sort();
}

export function signalProcess(folder: string, name: string, signal: NodeJS.Signals): void {
  const pid = findProcess(folder, name);
  if (pid !== undefined) process.kill(pid, signal);
}

/** Asks it to end, and after its time does not ask any more. */
export async function stopProcess(folder: string, name: string, graceMs = 15_000): Promise<void> {
  signalProcess(folder, name, "SIGCONT");
  signalProcess(folder, name, "SIGTERM");
  if (!(await untilGone(folder, name, graceMs))) {
    signalProcess(folder, name, "SIGKILL");
    await untilGone(folder, name, 5_000);
  }
  rmSync(pidFile(folder, name), { force: true });
}

export async function killProcess(folder: string, name: string): Promise<void> {
  signalProcess(folder, name, "SIGKILL");
  await untilGone(folder, name, 5_000);
}

async function untilGone(folder: string, name: string, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (findProcess(folder, name) !== undefined) {
    if (performance.now() > deadline) return false;
    await pause(50);
  }
  return true;
}

/** Undefined for a number that nobody has, and for a zombie: it has ended, and only waits for its parent. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : fields[18];
  } catch {
    return undefined;
  }
}
