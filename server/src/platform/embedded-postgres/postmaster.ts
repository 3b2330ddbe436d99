/** The postmaster as a process: which one serves a data folder, how it starts, how it ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { identityOf, type Lodging, programEnvironment } from "./account.ts";
import { waitUntil } from "./wait.ts";

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

interface PidFile extends Postmaster {
  readonly status: string;
}

// Recovery after a crash replays the log first; an ordinary start takes some tens of milliseconds.
const startTimeoutMs = 120_000;
const fastStopTimeoutMs = 20_000;
const killTimeoutMs = 5_000;
const logLimitBytes = 4 * 1024 * 1024;
const startAttempts = 5;

/** The postmaster that serves the folder now: left over by a killed server, or shared with a living one. */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const found = readPidFile(data);
  if (found === undefined || !serves(found.pid, data)) return undefined;
  const settled = await waitUntil(() => !serves(found.pid, data) || isReady(data, found.pid), startTimeoutMs);
  if (!settled) throw new Error(`The PostgreSQL with process id ${found.pid} on ${data} does not become ready.`);
  const ready = readPidFile(data);
  return ready?.pid === found.pid && serves(found.pid, data) ? { pid: ready.pid, port: ready.port } : undefined;
}

export async function startPostmaster(
  lodging: Lodging,
  settings: Readonly<Record<string, string>>,
  timeoutMs = startTimeoutMs,
): Promise<Postmaster> {
  const log = join(lodging.folder, "postgres.log");
  if (existsSync(log) && statSync(log).size > logLimitBytes) renameSync(log, `${log}.1`);
  for (let attempt = 1; ; attempt += 1) {
    const logStart = existsSync(log) ? statSync(log).size : 0;
    const started = await tryStart(lodging, settings, log, timeoutMs);
    if (started !== undefined) return started;
    const said = readFileSync(log).subarray(logStart).toString("utf8");
    if (attempt >= startAttempts || !isPassing(said)) throw new Error(startFailure(said, log));
    await new Promise((resolve) => setTimeout(resolve, attempt * 200));
  }
}

/** Returns when the postmaster, and with it each of its backends, is gone. */
export async function stopPostmaster(data: string, pid: number): Promise<void> {
  // SIGINT asks for a fast stop: sessions are ended, then a checkpoint. SIGQUIT leaves recovery to the next start.
  const steps = [
    ["SIGINT", fastStopTimeoutMs],
    ["SIGQUIT", killTimeoutMs],
    ["SIGKILL", killTimeoutMs],
  ] as const;
  for (const [signal, timeoutMs] of steps) {
    if (!serves(pid, data)) return;
    process.kill(pid, signal);
    if (await waitUntil(() => !isAlive(pid), timeoutMs)) return;
  }
  throw new Error(`PostgreSQL (process id ${pid}) could not be stopped.`);
}

/** Asks for a fast stop and does not wait for it. */
export function interruptPostmaster(data: string, pid: number): void {
  if (serves(pid, data)) process.kill(pid, "SIGINT");
}

/** After a crash each file of the cluster, over a thousand, would be flushed by a call of its own: seconds on a busy disk. */
const quickRecovery: Readonly<Record<string, string>> =
  process.platform === "linux" ? { recovery_init_sync_method: "syncfs" } : {};

async function tryStart(
  lodging: Lodging,
  settings: Readonly<Record<string, string>>,
  log: string,
  timeoutMs: number,
): Promise<Postmaster | undefined> {
  const data = join(lodging.folder, "data");
  // A chosen port lets clients find a PostgreSQL that was restarted.
  const port = settings["port"] === undefined ? await choosePort(data) : Number(settings["port"]);
  const own = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", ...quickRecovery };
  const all = { ...own, ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const { prefix } = lodging.account;
  const [command = "", ...rest] = [...prefix, lodging.binaries.postgres, "-D", data, ...flags];
  const output = openSync(log, "a", 0o600);
  const child = spawn(command, rest, {
    ...identityOf(lodging.account),
    cwd: "/",
    env: { ...programEnvironment, ...ignoringStalePid(data) },
    stdio: ["ignore", output, output],
    // Its own process group: Ctrl-C in the terminal must reach the server alone, which still has requests to finish.
    detached: true,
  });
  child.unref();
  closeSync(output);
  let failed = false;
  child.once("error", () => {
    failed = true;
  });
  const { pid } = child;
  if (pid === undefined) return undefined;
  await waitUntil(() => failed || !isAlive(pid) || isReady(data, pid), timeoutMs);
  return isAlive(pid) && isReady(data, pid) ? { pid, port } : undefined;
}

/**
 * A pid file whose number belongs to a zombie, or by now to another program, would stop the start. Deleting it would
 * also switch off PostgreSQL's own guard against backends that outlived their postmaster. This variable, made for
 * pg_ctl, tells PostgreSQL that the number means nothing; it then checks its shared memory and removes the file.
 */
function ignoringStalePid(data: string): { PG_GRANDPARENT_PID?: string } {
  const left = readPidFile(data);
  return left === undefined ? {} : { PG_GRANDPARENT_PID: String(left.pid) };
}

/** Passes by itself: somebody took the port first, or backends of a killed postmaster are still leaving. */
function isPassing(said: string): boolean {
  return /Address already in use|is still in use/.test(said);
}

/** A full disk is named as such; everything else in PostgreSQL's own words. */
export function startFailure(said: string, log: string): string {
  if (/No space left on device/.test(said)) {
    const remedy = "Nothing is lost: make room and start again.";
    return `PostgreSQL did not start, because the disk of ${dirname(log)} is full. ${remedy} Its words are in ${log}.`;
  }
  const last = said.trimEnd().split("\n").slice(-12).join("\n  ");
  return `PostgreSQL did not start. Its last words (all of them are in ${log}):\n  ${last}`;
}

function readPidFile(data: string): PidFile | undefined {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n");
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  return { pid, port, status: lines[7]?.trim() ?? "" };
}

function isReady(data: string, pid: number): boolean {
  const file = readPidFile(data);
  return file?.pid === pid && file.status === "ready";
}

/** A zombie does not count: it has ended and only waits for a parent that never asks. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const stat = readProcFile(pid, "stat");
  return stat === undefined || stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
}

/** Whether the process is a living PostgreSQL on this very folder, and not one that inherited the number. */
function serves(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  const command = readProcFile(pid, "cmdline");
  // Without /proc (macOS) the number is all we have.
  if (command === undefined) return true;
  if (!/(^|\/)postgres$/.test(command.split("\0")[0] ?? "")) return false;
  try {
    // A postmaster works inside its data folder, and this holds when the folder was renamed meanwhile.
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(data)];
    return theirs.ino === ours.ino && theirs.dev === ours.dev;
  } catch {
    return command.split("\0").includes(data);
  }
}

function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}

/** Where a PostgreSQL was that died: servers that live still look for it there. */
async function choosePort(data: string): Promise<number> {
  const left = readPidFile(data)?.port;
  return left === undefined ? findFreePort() : findFreePort(left).catch(() => findFreePort());
}

/** A port of this machine that nobody listens at now. Rejects when a wanted one is taken. */
export async function findFreePort(wanted = 0): Promise<number> {
  const probe = createServer().listen(wanted, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("the probe has no port");
  return address.port;
}
