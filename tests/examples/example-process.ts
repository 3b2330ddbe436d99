/** An example as its README starts it: a process of its own, with a file for its orders. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { eventually } from "../../server/testing/work.ts";

export const folder = join(import.meta.dirname, "..", "..", "examples");

export interface Example {
  readonly name: string;
  /** Run one after the other, the last of them for as long as the shop is open. */
  commands(port: number): readonly (readonly [string, ...string[]])[];
  /** What stands before /orders and /hooks. */
  readonly prefix: string;
  /** What has to succeed where it can run, and how to get it where it cannot. */
  readonly needs?: readonly [probe: readonly [string, ...string[]], remedy: string];
}

export const examples: readonly Example[] = [
  { name: "node", prefix: "", commands: () => [[process.execPath, join(folder, "node", "app.mjs")]] },
  { name: "fastify", prefix: "", commands: () => [[process.execPath, join(folder, "fastify", "app.ts")]] },
  { name: "next", prefix: "/api", commands: () => [[process.execPath, join(import.meta.dirname, "next-server.ts")]] },
  {
    name: "python",
    prefix: "",
    commands: () => [["python3", join(folder, "python", "app.py")]],
    needs: [["python3", "-c", "import requests"], "apt-get install python3-requests"],
  },
  {
    name: "php",
    prefix: "",
    commands: (port) => [
      ["php", join(folder, "php", "app.php")],
      ["php", "-S", `127.0.0.1:${port}`, join(folder, "php", "app.php")],
    ],
    needs: [
      ["php", "-r", "exit(extension_loaded('curl') && extension_loaded('pdo_sqlite') ? 0 : 1);"],
      "apt-get install php-cli php-curl php-sqlite3",
    ],
  },
];

/** Says it loudly where a runtime is missing: what was not run was not tested. */
export function canRun({ name, needs }: Example): boolean {
  if (needs === undefined) return true;
  const [[program, ...words], remedy] = needs;
  try {
    execFileSync(program, words, { stdio: "ignore" });
    return true;
  } catch {
    console.warn(`\n!!! examples/${name} was NOT tested: its runtime is missing here. To test it: ${remedy}\n`);
    return false;
  }
}

export interface Shop {
  readonly url: string;
  start(more?: Readonly<Record<string, string>>): Promise<void>;
  /** As a power cut does it. */
  kill(): Promise<void>;
  output(): string;
}

export async function createShop(example: Example, env: Readonly<Record<string, string>>): Promise<Shop> {
  const port = await findFreePort();
  const home = mkdtempSync(join(tmpdir(), "jara-example-"));
  const url = `http://127.0.0.1:${port}${example.prefix}`;
  let child: ChildProcess | undefined;
  let said = "";
  const kill = async (): Promise<void> => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    // With its children: PHP's server has workers.
    process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  afterAll(async () => {
    await kill();
    rmSync(home, { recursive: true, force: true });
  });
  const run = ([program, ...words]: readonly [string, ...string[]], settings: NodeJS.ProcessEnv): ChildProcess => {
    const started = spawn(program, words, { cwd: home, env: settings, detached: true });
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    }
    return started;
  };
  return {
    url,
    kill,
    output: () => said,
    async start(more = {}) {
      const files = { ORDERS_FILE: join(home, "orders.db"), PORT: String(port), NEXT_RUNTIME: "nodejs" };
      const settings = { PATH: process.env["PATH"], PHP_CLI_SERVER_WORKERS: "4", ...files, ...env, ...more };
      const commands = example.commands(port);
      for (const command of commands.slice(0, -1)) await once(run(command, settings), "exit");
      child = run(commands.at(-1) as [string, ...string[]], settings);
      const isOpen = () =>
        fetch(`${url}/orders/none`).then(
          ({ status }) => status === 404,
          () => false,
        );
      await eventually(`examples/${example.name} is open; it said: ${said}`, isOpen);
    },
  };
}
