/**
 * The processes under attack: PostgreSQL, and an API server and a worker, or one server that is both, as installations
 * run by default. Each can be killed with -9 and started again.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../server/src/platform/embedded-postgres/start.ts";
import { serverProgram } from "../../tools/server-bundle.mjs";
import type { Random } from "./random.ts";

type Server = "api" | "worker" | "server";
export type Member = Server | "postgres";

export interface Fleet {
  readonly members: readonly [Member, ...Member[]];
  readonly baseUrl: string;
  readonly appUrl: string;
  readonly ownerUrl: string;
  readonly home: string;
  /** Kills a member with -9 and starts it again; resolves when it serves. */
  crash(member: Member): Promise<void>;
  /** The machine is gone: everybody is killed with -9 and nobody comes back. */
  perish(): Promise<void>;
  stop(): Promise<void>;
}

/** The bundle, where a start has made one of these sources: to start again and again is half of the work here. */
export const mainFile = serverProgram();

export interface FleetOptions {
  /** A folder of backups. */
  readonly archiveTo?: string;
  /** Where the API serves; any free one otherwise. */
  readonly port?: number;
  /** One server with both roles, instead of one for each. */
  readonly together?: boolean;
}

/** Who ends by itself this soon could not start, as while PostgreSQL is away: it is started again, as a supervisor does. */
const longestStartMs = 30_000;
const restartAfterMs = 500;

export async function startFleet(home: string, options: FleetOptions = {}): Promise<Fleet> {
  mkdirSync(home, { recursive: true });
  const folder = join(home, "postgres");
  const settings = { port: String(await findFreePort()), max_connections: "100" };
  let postgres = await startEmbeddedPostgres({ folder, settings, archiveTo: options.archiveTo });
  const port = options.port ?? (await findFreePort());
  const environment = serverSettings(home, postgres, port);
  const processes = new Map<Member, ChildProcess>();
  let isOver = false;
  const servers: readonly [Server, ...Server[]] = options.together === true ? ["server"] : ["api", "worker"];
  const start = (member: Server): void => {
    const log = openSync(join(home, `${member}.log`), "a");
    const env = { ...environment, JARA_ROLE: member === "server" ? "all" : member };
    const child = spawn(process.execPath, [mainFile], { env, stdio: ["ignore", log, log] });
    processes.set(member, child);
    closeSync(log);
    const began = performance.now();
    child.once("exit", (code) => {
      if (code === null || performance.now() - began > longestStartMs) return;
      setTimeout(() => !isOver && processes.get(member) === child && start(member), restartAfterMs);
    });
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  // The first one prepares the database, and serves.
  for (const server of servers) {
    start(server);
    await untilServing(baseUrl, home);
  }
  return {
    members: [...servers, "postgres"],
    baseUrl,
    appUrl: postgres.appUrl,
    ownerUrl: postgres.ownerUrl,
    home,
    async crash(member) {
      if (member === "postgres") {
        postgres = await crashPostgres(postgres, folder, settings);
        return;
      }
      await killed(processes.get(member));
      start(member);
      if (member !== "worker") await untilServing(baseUrl, home);
    },
    async perish() {
      isOver = true;
      await Promise.all([...processes.values()].map(killed));
      killPostmaster(postgres);
      await postgres.stop();
    },
    async stop() {
      isOver = true;
      await Promise.all([...processes.values()].map((child) => ended(child, "SIGTERM")));
      await postgres.stop();
    },
  };
}

export function serverSettings(home: string, { appUrl, ownerUrl }: EmbeddedPostgres, port: number) {
  return {
    ...process.env,
    PORT: String(port),
    JARA_HOME: home,
    DATABASE_URL: appUrl,
    DATABASE_OWNER_URL: ownerUrl,
    JARA_RATE_LIMIT: "0",
    JARA_DEMO: "off",
    LOG_LEVEL: "warn",
  };
}

/** Kills a member that chance picks, some time from now. */
export async function crashSomebody(fleet: Fleet, random: Random): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, random.between(100, 1_200)));
  const member = random.pick(fleet.members);
  await fleet.crash(member);
  return member;
}

/** The first line of postmaster.pid is the postmaster's process; its children notice its death and go too. */
function killPostmaster({ folder }: EmbeddedPostgres): void {
  const [pid] = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
}

async function crashPostgres(
  running: EmbeddedPostgres,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<EmbeddedPostgres> {
  killPostmaster(running);
  // Our membership of the folder ends first, so that the next start finds nobody and starts again.
  await running.stop();
  return startEmbeddedPostgres({ folder, settings });
}

function killed(child: ChildProcess | undefined): Promise<void> {
  return child === undefined ? Promise.resolve() : ended(child, "SIGKILL");
}

export function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}

export async function untilServing(baseUrl: string, home: string): Promise<void> {
  // A machine that is busy with the other servers takes its time.
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    const ready = await fetch(`${baseUrl}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the API did not come up; see the logs in ${home}`);
}
