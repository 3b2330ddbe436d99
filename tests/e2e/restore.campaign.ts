/** A restore from a log of changes that is whole, and from one that is not: it never ends early without a word. */
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookThroughLog, tellProblems } from "../../server/src/platform/backups/change-log.ts";
import { listBackups } from "../../server/src/platform/backups/shelf.ts";
import { takeBackup } from "../../server/src/platform/backups/take-backup.ts";
import { startEmbeddedPostgres } from "../../server/src/platform/embedded-postgres/start.ts";
import { eventually } from "../../server/testing/work.ts";
import { projectRoot } from "./server-process.ts";

const root = mkdtempSync(join(tmpdir(), "jara-restore-"));
chmodSync(root, 0o755);
const whole = join(root, "whole");
/** Of the three segments after the backup, each with one row. */
const segments: string[] = [];
/** Before the second row was written. */
let moment = "";
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function inDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  mkdirSync(whole);
  const folder = join(root, "home", "postgres");
  const postgres = await startEmbeddedPostgres({ folder, settings: { fsync: "off" }, archiveTo: whole });
  await inDatabase(postgres.ownerUrl, async (client) => {
    await client.query("create table kept (n integer)");
    const [dataFolder, passwordFile] = [join(postgres.folder, "data"), join(postgres.folder, "password")];
    await takeBackup({ ownerUrl: postgres.ownerUrl, dataFolder, passwordFile }, whole, "20261101T000000Z");
    for (const n of [1, 2, 3]) {
      if (n === 2) moment = await readClock(client);
      await client.query("insert into kept values ($1)", [n]);
      const { rows } = await client.query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name");
      segments.push(rows[0]?.name ?? "");
    }
    await eventually("the log is archived", () => existsSync(join(whole, "wal", `${segments.at(-1)}.gz`)));
  }).finally(postgres.stop);
});

async function readClock(client: pg.Client): Promise<string> {
  await client.query("select pg_sleep(0.05)");
  const { rows } = await client.query<{ at: Date }>("select clock_timestamp() as at, pg_sleep(0.05)");
  return rows[0]?.at.toISOString() ?? "";
}

/** A copy of the folder with some fault in the log. */
function spoil(name: string, fault: (pathOf: (index: number) => string) => void): string {
  const folder = join(root, name);
  // With their owner: PostgreSQL, which may run as somebody else, reads them.
  execFileSync("cp", ["-a", whole, folder]);
  fault((index) => join(folder, "wal", `${segments[index]}.gz`));
  return folder;
}

interface Ended {
  readonly code: number;
  readonly said: string;
  readonly home: string;
}

let homes = 0;

async function restore(from: string, ...words: string[]): Promise<Ended> {
  homes += 1;
  const home = join(root, `home-${homes}`);
  const file = join(projectRoot, "server", "src", "programs", "restore.ts");
  const env = { PATH: process.env["PATH"] ?? "", JARA_HOME: home };
  return promisify(execFile)(process.execPath, [file, "--from", from, ...words], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr, home }),
    (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr, home }),
  );
}

async function rowsIn(home: string): Promise<number[]> {
  const postgres = await startEmbeddedPostgres({ folder: join(home, "postgres"), settings: { fsync: "off" } });
  return inDatabase(postgres.ownerUrl, async (client) => {
    const { rows } = await client.query<{ n: number }>("select n from kept order by n");
    return rows.map(({ n }) => n);
  }).finally(postgres.stop);
}

function cut(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
}

/** What a disk may do: gzip finds nothing wrong, and a change in the middle of the segment is not what it was. */
function garble(path: string): void {
  const bytes = gunzipSync(readFileSync(path));
  const used = bytes.findLastIndex((byte) => byte !== 0);
  for (let at = Math.max(64, used - 40); at < used; at += 1) bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  writeFileSync(path, gzipSync(bytes));
}

const lookThrough = async (folder: string, depth: "names" | "bytes") => {
  const { backups } = listBackups(folder);
  const [backup] = backups;
  if (backup === undefined) throw new Error("no backup");
  return lookThroughLog(folder, backup, backups, depth);
};

describe("a log of changes that is whole", () => {
  test("is restored to its last change", async () => {
    const { code, said, home } = await restore(whole);
    expect([code, said]).toEqual([0, expect.stringContaining("is as it was at 20")]);
    expect(await rowsIn(home)).toEqual([1, 2, 3]);
  });

  test("is restored again with what was written after a restore", async () => {
    const from = spoil("twice", () => undefined);
    const { home } = await restore(from, "--at", moment);
    const folder = join(home, "postgres");
    const postgres = await startEmbeddedPostgres({ folder, settings: { fsync: "off" }, archiveTo: from });
    await inDatabase(postgres.ownerUrl, async (client) => {
      await client.query("insert into kept values (7)");
      const { rows } = await client.query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name");
      await eventually("the log is archived", () => existsSync(join(from, "wal", `${rows[0]?.name}.gz`)));
    }).finally(postgres.stop);
    const again = await restore(from);
    expect([again.code, await rowsIn(again.home)]).toEqual([0, [1, 7]]);
  });

  test.each(["names", "bytes"] as const)("has no problem (%s)", async (depth) => {
    const { problems, newest } = await lookThrough(whole, depth);
    expect([problems, newest?.name]).toEqual([[], segments[2]]);
  });
});

describe("a log of changes that is not whole", () => {
  test.each<[string, number, (path: string) => void, string]>([
    ["a cut segment", 1, cut, "is damaged"],
    ["a missing segment", 1, (path) => rmSync(path), "is missing"],
    ["a cut newest segment", 2, cut, "is damaged"],
    ["a change that is garbled inside a segment", 1, garble, "The replay ended at"],
    ["a change that is garbled in the newest segment", 2, garble, "The replay ended at"],
  ])("%s ends the restore with its name and leaves nothing behind", async (name, index, fault, why) => {
    const from = spoil(name, (pathOf) => fault(pathOf(index)));
    const { code, said, home } = await restore(from);
    expect(said).toContain(why);
    expect(said).toContain(segments[why.startsWith("The replay") ? 2 : index]);
    expect(code).toBe(1);
    expect(existsSync(join(home, "postgres", "data"))).toBe(false);
  });

  test("is restored up to the fault when the loss is accepted", async () => {
    const from = spoil("accepted", (pathOf) => cut(pathOf(1)));
    const { code, said, home } = await restore(from, "--accept-loss");
    expect([code, said]).toEqual([0, expect.stringContaining(`${segments[1]} is damaged`)]);
    expect(await rowsIn(home)).toEqual([1]);
  });

  test("reaches a moment before the fault, and no moment after it", async () => {
    const from = spoil("moments", (pathOf) => cut(pathOf(2)));
    const earlier = await restore(from, "--at", moment);
    expect([earlier.code, await rowsIn(earlier.home)]).toEqual([0, [1]]);
    const later = await restore(from, "--at", "2099-01-01T00:00:00Z");
    expect([later.code, later.said]).toEqual([1, expect.stringContaining(`${segments[2]} is damaged`)]);
    expect(later.said).not.toContain("without --at it is restored");
  });

  test("is named without reading every byte, too", async () => {
    const from = spoil("named", (pathOf) => {
      rmSync(pathOf(0));
      cut(pathOf(1));
    });
    const { problems } = await lookThrough(from, "names");
    expect(tellProblems(problems)).toBe(`${segments[0]} is missing; ${segments[1]} is damaged: its end is missing.`);
  });
});
