/** Whichever process is told to stop, everything stops: npm, the bootstrap, the server and PostgreSQL. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { childOf, makeHome, processesUsing, type ServerProcess, startServer } from "./server-process.ts";

const home = makeHome();

async function startWithNpm(): Promise<ServerProcess> {
  const server = startServer({ JARA_HOME: home, PORT: String(await findFreePort()) }, { through: "npm" });
  await server.ready;
  return server;
}

async function nothingIsLeft(): Promise<void> {
  await expect.poll(() => processesUsing(home), { interval: 100 }).toEqual([]);
}

/** npm, then the bootstrap (a shell may stand between), then the server's own Node. */
function familyOf({ child }: ServerProcess): { npm: number; bootstrap: number; server: number } {
  const npm = child.pid ?? 0;
  const line: number[] = [];
  for (let pid = childOf(npm); pid > 0; pid = childOf(pid)) line.push(pid);
  const says = (pid: number, word: RegExp) => word.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  const bootstrap = line.findLast((pid) => says(pid, /bootstrap\.mjs/)) ?? 0;
  const server = line.findLast((pid) => says(pid, /main\.[jt]s/)) ?? 0;
  return { npm, bootstrap, server };
}

type Target = "everybody, as Ctrl-C does" | "npm" | "the bootstrap" | "the server";

function pidOf(target: Target, server: ServerProcess): number {
  const family = familyOf(server);
  // A negative number means the process group.
  if (target === "everybody, as Ctrl-C does") return -family.npm;
  return target === "npm" ? family.npm : target === "the bootstrap" ? family.bootstrap : family.server;
}

describe("npm start", () => {
  it.each<[NodeJS.Signals, Target]>([
    ["SIGINT", "everybody, as Ctrl-C does"],
    ["SIGINT", "npm"],
    ["SIGTERM", "npm"],
    ["SIGTERM", "the bootstrap"],
    ["SIGTERM", "the server"],
  ])("%s to %s stops everything, without a stack trace", async (signal, target) => {
    const server = await startWithNpm();
    process.kill(pidOf(target, server), signal);
    await server.exit;
    await nothingIsLeft();
    expect(server.output()).toContain("Stopping.");
    expect(server.output()).not.toMatch(/\n\s+at |\bERROR\b|\bFATAL\b/);
  });

  it("shows a person sentences only, and keeps the log as JSON in the file that it names", async () => {
    const server = await startWithNpm();
    process.kill(pidOf("everybody, as Ctrl-C does", server), "SIGINT");
    await server.exit;
    expect(server.output()).not.toContain('{"level"');
    const file = /Log +(\S+)/.exec(server.output())?.[1] ?? "";
    expect(file).toBe(join(home, "server.log"));
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toContain("ready");
    await nothingIsLeft();
  });

  it("a second Ctrl-C stops at once, also while the start is under way", async () => {
    const server = startServer({ JARA_HOME: home, PORT: String(await findFreePort()) }, { through: "npm" });
    await expect.poll(() => familyOf(server).server).toBeGreaterThan(0);
    // The first may come before the server listens to signals, or find it in the middle of its start.
    const press = () => process.kill(-(server.child.pid ?? 0), "SIGINT");
    press();
    const again = setInterval(press, 600);
    await server.exit;
    clearInterval(again);
    await nothingIsLeft();
    expect(server.output()).not.toMatch(/\n\s+at /);
  });
});

it("in production standard output is JSON and nothing else", async () => {
  const server = startServer({
    JARA_HOME: makeHome(),
    PORT: String(await findFreePort()),
    JARA_OUTPUT: "json",
  });
  await server.ready;
  server.child.kill("SIGTERM");
  expect((await server.exit).code).toBe(0);
  for (const line of server.output().trimEnd().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
});

it.each(["/proc/jara/home", "/dev/null"])("JARA_HOME=%s is named at once", async (place) => {
  const server = startServer({ JARA_HOME: place, PORT: "4998" });
  expect((await server.exit).code).toBe(1);
  expect(server.output()).toContain(`Jara could not start. The folder ${place} (JARA_HOME) cannot be made`);
  expect(server.output()).not.toMatch(/\n\s+at /);
});
