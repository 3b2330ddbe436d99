import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../../testing/work.ts";
import { moveToReachablePlace } from "./account.ts";
import { findBinaries, restoreLinks } from "./binaries.ts";
import { isAlive, startFailure } from "./postmaster.ts";
import { type EmbeddedPostgres, type Revival, startEmbeddedPostgres } from "./start.ts";

import { waitUntil } from "./wait.ts";

const root = mkdtempSync(join(tmpdir(), "jara-embedded-"));
chmodSync(root, 0o755);
// One cluster for the whole file, because making one costs most of a second; the tests run one after the other.
const folder = join(root, "home", "postgres");
const running = new Set<EmbeddedPostgres>();

afterEach(async () => {
  await Promise.all([...running].map((server) => server.stop()));
  running.clear();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function start(settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ folder, settings });
  running.add(server);
  return server;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function pidFile(): string {
  return join(folder, "data", "postmaster.pid");
}

function postmasterPid(): number {
  return Number(readFileSync(pidFile(), "utf8").split("\n")[0]);
}

/** A server process that starts PostgreSQL, writes a row and is killed with -9 before it can clean up. */
function startAndDie(): void {
  const module = join(import.meta.dirname, "start.ts");
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)} });
    process.kill(process.pid, "SIGKILL");`;
  const died = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(died.signal, died.stderr).toBe("SIGKILL");
}

describe("the embedded PostgreSQL", () => {
  it("keeps its data over a stop and leaves no process behind", async () => {
    const first = await start();
    await query(first.ownerUrl, "create table kept as select 7 as n");
    const pid = postmasterPid();
    await first.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(pidFile())).toBe(false);
    const second = await start();
    expect(await query(second.ownerUrl, "select n from kept")).toEqual([{ n: 7 }]);
  });

  it("gives the application a role that is neither owner nor superuser", async () => {
    const server = await start();
    const rows = await query(
      server.appUrl,
      "select current_user as name, rolsuper, rolbypassrls, pg_has_role('jara_app', 'member') as app from pg_roles where rolname = current_user",
    );
    expect(rows).toEqual([{ name: "jara_server", rolsuper: false, rolbypassrls: false, app: true }]);
  });

  it("does not let the application in as the owner, also after an upgrade from one password for both", async () => {
    const server = await start();
    const asOwner = new URL(server.appUrl);
    const shared = new URL(server.ownerUrl).password;
    asOwner.username = "jara_owner";
    await expect(query(asOwner.toString(), "select 1")).rejects.toThrow("password authentication failed");
    await query(server.ownerUrl, `alter role jara_server password '${shared}'`);
    await server.stop();
    const upgraded = await start();
    expect(await query(upgraded.appUrl, "select 1 as one")).toEqual([{ one: 1 }]);
    const asBefore = new URL(upgraded.appUrl);
    asBefore.password = shared;
    await expect(query(asBefore.toString(), "select 1")).rejects.toThrow("password authentication failed");
  });

  it("keeps fsync on and sorts text alike on every machine", async () => {
    const server = await start();
    expect(await query(server.ownerUrl, "show fsync")).toEqual([{ fsync: "on" }]);
    const locale = "select datlocprovider, datlocale from pg_database where datname = 'jara'";
    expect(await query(server.ownerUrl, locale)).toEqual([{ datlocprovider: "b", datlocale: "C.UTF-8" }]);
  });

  it("is taken over from a server that was killed, and stopped by the heir", async () => {
    startAndDie();
    const orphan = postmasterPid();
    expect(isAlive(orphan)).toBe(true);
    const heir = await start();
    expect(postmasterPid()).toBe(orphan);
    expect(await query(heir.appUrl, "select 1 as one")).toEqual([{ one: 1 }]);
    await heir.stop();
    expect(isAlive(orphan)).toBe(false);
  });

  it("is shared by servers that start together and stops with the last of them", async () => {
    const [one, two, three] = await Promise.all([start(), start(), start()]);
    expect(new Set([one.ownerUrl, two.ownerUrl, three.ownerUrl]).size).toBe(1);
    const pid = postmasterPid();
    await one.stop();
    await one.stop();
    await three.stop();
    expect(await query(two.appUrl, "select 1 as one")).toEqual([{ one: 1 }]);
    await two.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it("is started again by the living when it was killed, at the same address, once for all of them", async () => {
    const revivals: Revival[] = [];
    const onRevival = (revival: Revival) => void revivals.push(revival);
    const servers = await Promise.all([1, 2].map(() => startEmbeddedPostgres({ folder, onRevival })));
    for (const server of servers) running.add(server);
    const [{ ownerUrl } = { ownerUrl: "" }] = servers;
    await query(ownerUrl, "create table survived as select 1 as n");
    const pid = postmasterPid();
    process.kill(pid, "SIGKILL");
    await eventually("both have found it again", () => revivals.length === 2);
    expect(revivals).toEqual([{ backAfterMs: expect.any(Number) }, { backAfterMs: expect.any(Number) }]);
    expect(postmasterPid()).not.toBe(pid);
    expect(await query(ownerUrl, "select n from survived")).toEqual([{ n: 1 }]);
    const heir = postmasterPid();
    await Promise.all(servers.map((server) => server.stop()));
    expect(isAlive(heir)).toBe(false);
  });

  it("stays away when it was killed and we leave", async () => {
    const server = await start();
    const pid = postmasterPid();
    process.kill(pid, "SIGKILL");
    await server.stop();
    // The system takes a moment to clear away what was killed.
    const isGone = () => !isAlive(existsSync(pidFile()) ? postmasterPid() : pid);
    await eventually("neither it nor another one is there", isGone);
  });

  it("says that it could not be started again, and goes on trying", async () => {
    const revivals: Revival[] = [];
    const server = await startEmbeddedPostgres({ folder, onRevival: (revival) => void revivals.push(revival) });
    running.add(server);
    const settings = join(folder, "data", "postgresql.auto.conf");
    const before = readFileSync(settings, "utf8");
    writeFileSync(settings, "nothing = 'known'\n");
    process.kill(postmasterPid(), "SIGKILL");
    await eventually("it was told", () => revivals.length > 0);
    expect(revivals[0]).toMatchObject({ error: { message: expect.stringContaining("nothing") } });
    writeFileSync(settings, before);
    await eventually("it is back", () => revivals.some((revival) => "backAfterMs" in revival));
    expect(await query(server.appUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("a pid file left behind", () => {
  async function startOver(stalePid: number): Promise<void> {
    await (await start()).stop();
    const lines = [stalePid, join(folder, "data"), 1_700_000_000, 5432, "", "127.0.0.1", " 1 1", "ready", ""];
    writeFileSync(pidFile(), lines.join("\n"));
    const server = await start();
    expect(postmasterPid()).not.toBe(stalePid);
    expect(await query(server.appUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  }

  it("is ignored when its process is gone", async () => {
    const { pid } = spawnSync("true");
    await startOver(pid);
  });

  it("is ignored when another program has the number by now, which is left alone", async () => {
    const other = spawn("sleep", ["60"], process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {});
    await startOver(other.pid ?? 0);
    expect(isAlive(other.pid ?? 0)).toBe(true);
    other.kill();
  });

  it("is ignored when its process is a zombie", async () => {
    // The shell turns into a sleep, which never asks how its child ended.
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
    const [printed] = await once(parent.stdout, "data");
    const zombie = Number(String(printed));
    const hasTurned = () => readFileSync(`/proc/${parent.pid}/cmdline`, "utf8").startsWith("sleep");
    expect(await waitUntil(hasTurned, 5_000)).toBe(true);
    process.kill(zombie, "SIGKILL");
    expect(await waitUntil(() => !isAlive(zombie), 5_000)).toBe(true);
    expect(existsSync(`/proc/${zombie}`)).toBe(true);
    await startOver(zombie);
    parent.kill();
  });
});

describe("a start that cannot succeed", () => {
  it("shows PostgreSQL's last words and leaves nothing running", async () => {
    await expect(start({ shared_buffers: "plenty" })).rejects.toThrow(
      /PostgreSQL did not start.*postgres\.log.*invalid value for parameter "shared_buffers": "plenty"/s,
    );
    expect(existsSync(pidFile())).toBe(false);
  });

  it("says that the disk is full, in one line", () => {
    const said = [
      "LOG:  database system was shut down at 2026-11-16 07:00:17 UTC",
      'FATAL:  could not write to file "pg_wal/xlogtemp.15457": No space left on device',
      "LOG:  database system is shut down",
    ];
    expect(startFailure(said.join("\n"), "/srv/jara/postgres/postgres.log")).toBe(
      "PostgreSQL did not start, because the disk of /srv/jara/postgres is full. Nothing is lost: make room and start again. Its words are in /srv/jara/postgres/postgres.log.",
    );
  });

  it("names the password file when it is missing", async () => {
    const server = await start();
    await server.stop();
    const file = join(folder, "password");
    const kept = readFileSync(file);
    rmSync(file);
    await expect(start()).rejects.toThrow(/password is missing/);
    expect(existsSync(pidFile())).toBe(false);
    writeFileSync(file, kept, { mode: 0o600 });
  });
});

it("library links that the install left out are made at the start", () => {
  const native = join(root, "package", "native");
  mkdirSync(join(native, "lib"), { recursive: true });
  writeFileSync(join(native, "lib", "libpq.so.5.18"), "library");
  writeFileSync(
    join(native, "pg-symlinks.json"),
    JSON.stringify([{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }]),
  );
  restoreLinks(native);
  restoreLinks(native);
  expect(readFileSync(join(native, "lib", "libpq.so.5"), "utf8")).toBe("library");
});

describe.runIf(process.getuid?.() === 0)("started by root", () => {
  it("has none of root's powers", async () => {
    await start();
    const status = readFileSync(`/proc/${postmasterPid()}/status`, "utf8");
    expect(status).toMatch(/^CapEff:\t0+$/m);
  });

  it("works in a folder that only root can enter", async () => {
    const closed = mkdtempSync(join(root, "closed-"));
    const server = await startEmbeddedPostgres({ folder: join(closed, "postgres") });
    running.add(server);
    expect(await query(server.appUrl, "select 1 as one")).toEqual([{ one: 1 }]);
    await server.stop();
    rmSync(server.folder, { recursive: true });
  });

  it("copies the programs and lays the data elsewhere when no account reaches the folder", () => {
    const reachable = mkdtempSync(join(root, "elsewhere-"));
    chmodSync(reachable, 0o755);
    const lodging = moveToReachablePlace(join(root, "closed"), findBinaries(), reachable);
    expect(lodging.account.name).toBe("nobody");
    expect(lodging.folder.startsWith(reachable)).toBe(true);
    expect(lodging.binaries.postgres.startsWith(lodging.folder)).toBe(true);
  });
});
