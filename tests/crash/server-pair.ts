/** Two whole servers, API and worker each, on one PostgreSQL. Either can be killed with -9 and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { startEmbeddedPostgres } from "../../server/src/platform/embedded-postgres/start.ts";
import { ended, mainFile, serverSettings, untilServing } from "./fleet.ts";

type Which = 0 | 1;

export interface ServerPair {
  readonly baseUrls: readonly [string, string];
  readonly appUrl: string;
  readonly ownerUrl: string;
  readonly home: string;
  /** With -9. */
  kill(which: Which): Promise<void>;
  /** Starts a server that was killed; resolves when it serves. */
  start(which: Which): Promise<void>;
  stop(): Promise<void>;
}

export async function startServerPair(home: string): Promise<ServerPair> {
  const settings = { port: String(await findFreePort()), max_connections: "100" };
  const postgres = await startEmbeddedPostgres({ folder: join(home, "postgres"), settings });
  const ports = [await findFreePort(), await findFreePort()] as const;
  const baseUrls = [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`] as const;
  const processes: ChildProcess[] = [];
  const start = async (which: Which): Promise<void> => {
    const log = openSync(join(home, `server-${which}.log`), "a");
    const env = serverSettings(home, postgres, ports[which]);
    processes[which] = spawn(process.execPath, [mainFile], { env, stdio: ["ignore", log, log] });
    closeSync(log);
    await untilServing(baseUrls[which], home);
  };
  await start(0);
  await start(1);
  return {
    baseUrls,
    appUrl: postgres.appUrl,
    ownerUrl: postgres.ownerUrl,
    home,
    async kill(which) {
      const victim = processes[which];
      if (victim !== undefined) await ended(victim, "SIGKILL");
    },
    start,
    async stop() {
      await Promise.all(processes.map((child) => ended(child, "SIGTERM")));
      await postgres.stop();
    },
  };
}
