/** A machine runs out of disk, or of file descriptors: callers are told, and the server goes on when there is room. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statfsSync, symlinkSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { eventually } from "../../server/testing/work.ts";
import { askPostgres } from "./embedded-postgres.ts";
import { childOf, makeHome, readDevFile, type ServerProcess, startServer, stopServer } from "./server-process.ts";

interface Reply {
  readonly status: number;
  readonly body: { readonly code?: string; readonly message?: string; readonly checks?: Record<string, string> };
}

/** Sends payouts over one connection that stays open, each under a reference of its own. */
function callerOf({ baseUrl }: ServerProcess, home: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const { secretKey } = readDevFile(home);
  const acknowledged: string[] = [];
  const ask = (method: string, path: string, body?: object) =>
    new Promise<Reply>((resolve, reject) => {
      const headers = { authorization: `Bearer ${secretKey}`, "content-type": "application/json" };
      const sent = request(`${baseUrl}${path}`, { agent, method, headers }, (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        reply.once("end", () => resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text) }));
      });
      sent.once("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  let n = 0;
  return {
    ask,
    readiness: () => ask("GET", "/readyz"),
    async pay(): Promise<Reply> {
      n += 1;
      const reference = `room-${n}`;
      const payee = { accountNumber: "0690000032", bankCode: "044", currency: "NGN" };
      const reply = await ask("POST", "/transfers", { ...payee, amount: 100, reference });
      if (reply.status === 201) acknowledged.push(reference);
      return reply;
    },
    /** Whether all that was acknowledged is there. */
    async requireAll(): Promise<void> {
      expect(acknowledged.length).toBeGreaterThan(0);
      for (const reference of acknowledged) {
        expect((await ask("GET", `/transfers/verify?reference=${reference}`)).status).toBe(200);
      }
    },
  };
}

/** A file system of its own that is soon full, until the test is over. */
function mountSmallDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), "jara-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m,mode=0755", "tmpfs", folder]);
  onTestFinished(() => {
    execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Whether this machine lets us: a container seldom does. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "jara-disk-"));
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder], { encoding: "utf8" });
  if (status === 0) execFileSync("umount", [folder]);
  else console.warn(`The test with a full disk is skipped: nothing can be mounted here. ${stderr ?? ""}`);
  rmSync(folder, { recursive: true });
  return status === 0;
}

describe.runIf(canMount())("a full disk", () => {
  const home = makeHome();

  /** Leaves half a megabyte, not enough for anything to grow, and takes again what PostgreSQL gives back. */
  function fill(folder: string): void {
    const { bavail, bsize } = statfsSync(folder);
    const bytes = bavail * bsize - 512 * 1024;
    if (bytes > 0) execFileSync("fallocate", ["-l", String(bytes), join(folder, `ballast-${crypto.randomUUID()}`)]);
  }

  function makeRoom(folder: string): void {
    for (const name of readdirSync(folder)) if (name.startsWith("ballast-")) rmSync(join(folder, name));
  }

  test("is told as 503 and not ready, and when there is room again all goes on", async () => {
    const disk = mountSmallDisk();
    symlinkSync(disk, join(home, "postgres"));
    const server = startServer({ JARA_HOME: home, PORT: String(await findFreePort()) });
    await server.ready;
    const { pay, readiness, requireAll } = callerOf(server, home);
    expect((await pay()).status).toBe(201);
    expect(await readiness()).toMatchObject({ status: 200, body: { checks: { disk: "ok" } } });

    await eventually("the disk is told", async () => {
      fill(disk);
      const { status, body } = await readiness();
      return status === 503 && body.checks?.["disk"] === "failing";
    });
    const replies: Reply[] = [];
    const refused = () => replies.filter(({ status }) => status !== 201);
    await eventually("payouts are refused", async () => {
      fill(disk);
      replies.push(await pay());
      return refused().length >= 20;
    });
    // Where the log has no place either, PostgreSQL is away for a moment, and the word is the general one.
    expect(new Set(refused().map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(["503 unavailable"]),
    );
    expect(refused().map(({ body }) => body.message)).toContainEqual(expect.stringContaining("no disk space left"));

    makeRoom(disk);
    await eventually("it is ready", async () => (await readiness()).status === 200);
    await eventually("it pays", async () => (await pay()).status === 201);
    await requireAll();
    await stopServer(server);
  });
});

const hasPrlimit = process.platform === "linux" && spawnSync("prlimit", ["--version"]).status === 0;
if (!hasPrlimit) console.warn("The test with few file descriptors is skipped: prlimit is not here.");

describe.runIf(hasPrlimit)("file descriptors that are used up", () => {
  const home = makeHome();

  test("are told as 503, and when there are some again all goes on", async () => {
    const server = startServer({ JARA_HOME: home, PORT: String(await findFreePort()) });
    await server.ready;
    const pid = childOf(server.child.pid);
    const { pay, readiness, requireAll } = callerOf(server, home);
    expect((await pay()).status).toBe(201);

    const limit = Math.max(...readdirSync(`/proc/${pid}/fd`).map(Number)) + 10;
    execFileSync("prlimit", ["--pid", String(pid), `--nofile=${limit}:`]);
    const crowd = gather(server, limit + 50);
    // What the pool lets go of, the crowd takes.
    const endAll = "select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user";
    const replies: Reply[] = [];
    const refused = () => replies.filter(({ status }) => status !== 201);
    await eventually("payouts are refused", async () => {
      await askPostgres(home, endAll);
      replies.push(await pay(), await pay());
      return refused().length >= 10 && (await readiness()).status === 503;
    });
    // Where the bank's line has no descriptor, the name enquiry fails: bank_unavailable, which is a 503 as well.
    expect(new Set(refused().map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused().map(({ body }) => body.code)).toContain("unavailable");
    expect(server.output()).toContain("EMFILE");

    crowd.disperse();
    await eventually("it is ready", async () => (await readiness()).status === 200);
    await eventually("it pays", async () => (await pay()).status === 201);
    await requireAll();
    await stopServer(server);
  });
});

/** Callers who hold a connection, say nothing, and come again when they are sent away. */
function gather({ baseUrl }: ServerProcess, size: number) {
  const sockets = new Set<Socket>();
  const port = Number(new URL(baseUrl).port);
  let isOver = false;
  const come = (): void => {
    if (isOver) return;
    const socket = connect(port, "127.0.0.1");
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      setTimeout(come, 50);
    });
  };
  for (let n = 0; n < size; n += 1) come();
  const disperse = (): void => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(disperse);
  return { disperse };
}
