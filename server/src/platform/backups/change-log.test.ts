/** A log of changes that is whole, and each way in which it may not be; PostgreSQL's own segments are in tests/e2e. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findHoles, isReplayed, lookThroughLog, tellProblems } from "./change-log.ts";
import { type Backup, folderOf, listBackups } from "./shelf.ts";

const segmentBytes = 2 ** 20;
const pageBytes = 8_192;
const systemId = 7_000_000_000_000_000_001n;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jara-change-log-"));
  mkdirSync(join(folder, "wal"));
  for (const number of [1, 2, 3, 4]) keep(number);
  putBackup("20261101T000000Z", nameOf(2));
});
afterEach(() => rmSync(folder, { recursive: true }));

const nameOf = (number: number, line = 1) =>
  [line, 0, number].map((part) => part.toString(16).toUpperCase().padStart(8, "0")).join("");
const pathOf = (number: number, line = 1) => join(folder, "wal", `${nameOf(number, line)}.gz`);

/** A segment of which `used` bytes have changes, and the rest is zeros, as after a switch. */
function makeSegment(number: number, { of = systemId, used = segmentBytes / 2, at = number } = {}): Buffer {
  const bytes = Buffer.alloc(segmentBytes);
  for (let page = 0; page < used; page += pageBytes) bytes.writeBigUInt64LE(BigInt(at * segmentBytes + page), page + 8);
  bytes.writeBigUInt64LE(of, 24);
  bytes.writeUInt32LE(segmentBytes, 32);
  bytes.writeUInt32LE(pageBytes, 36);
  return bytes;
}

function keep(number: number, { line = 1, bytes = makeSegment(number) } = {}): void {
  writeFileSync(pathOf(number, line), gzipSync(bytes, { level: 1 }));
}

function keepHistory(line: number, text: string): void {
  writeFileSync(join(folder, "wal", `${nameOf(0, line).slice(0, 8)}.history.gz`), gzipSync(text));
}

function putBackup(label: string, firstSegment: string): void {
  const finishedAt = "2026-11-01T00:05:00.000Z";
  const backup: Backup = { label, finishedAt, firstSegment, serverVersion: "18.1", archived: true };
  const control = Buffer.alloc(8);
  control.writeBigUInt64LE(systemId);
  mkdirSync(join(folderOf(folder, label), "data", "global"), { recursive: true });
  writeFileSync(join(folderOf(folder, label), "data", "global", "pg_control"), control);
  writeFileSync(join(folderOf(folder, label), "backup.json"), JSON.stringify(backup));
}

function cut(number: number, keptBytes: number): void {
  writeFileSync(pathOf(number), readFileSync(pathOf(number)).subarray(0, keptBytes));
}

async function look(depth: "names" | "bytes" = "bytes") {
  const { backups } = listBackups(folder);
  const [oldest] = backups;
  if (oldest === undefined) throw new Error("no backup");
  return lookThroughLog(folder, oldest, backups, depth);
}

const problems = async (depth?: "names" | "bytes") =>
  (await look(depth)).problems.map(({ name, why }) => `${name} ${why}`);

describe("a log of changes", () => {
  test.each(["names", "bytes"] as const)(
    "is whole from the backup's first segment to the newest (%s)",
    async (depth) => {
      rmSync(pathOf(1));
      const { problems: none, newest } = await look(depth);
      expect([none, newest?.name]).toEqual([[], nameOf(4)]);
    },
  );

  test.each(["names", "bytes"] as const)("names every segment that is missing or cut (%s)", async (depth) => {
    rmSync(pathOf(2));
    cut(3, 200);
    cut(4, 0);
    expect(await problems(depth)).toEqual([
      `${nameOf(2)} is missing`,
      expect.stringContaining(`${nameOf(3)} is damaged`),
      expect.stringContaining(`${nameOf(4)} is damaged`),
    ]);
  });

  test("names what gzip does not see: another size, another place, another database", async () => {
    keep(2, { bytes: makeSegment(2).subarray(0, segmentBytes / 2) });
    keep(3, { bytes: makeSegment(3, { at: 9 }) });
    keep(4, { bytes: makeSegment(4, { of: 5n }) });
    expect(await problems()).toEqual([
      `${nameOf(2)} is damaged: it has ${segmentBytes / 2} bytes`,
      `${nameOf(3)} is damaged: its page at byte 0 belongs elsewhere`,
      `${nameOf(4)} is of another database`,
    ]);
  });

  test("lacks its newest segments when a later backup begins after them", async () => {
    putBackup("20261102T000000Z", nameOf(6));
    expect(await problems("names")).toEqual([`${nameOf(5)} is missing`, `${nameOf(6)} is missing`]);
  });

  test("that is somewhere else is missing altogether", async () => {
    renameSync(join(folder, "wal"), join(folder, "elsewhere"));
    expect(await problems("names")).toEqual([expect.stringContaining("has no log")]);
  });

  test("says whether a hole costs moments after the newest backup, or only earlier ones", async () => {
    putBackup("20261102T000000Z", nameOf(4));
    expect(await findHoles(folder)).toEqual({ problems: [], sinceNewest: false });
    rmSync(pathOf(3));
    const missing = (number: number) => ({ name: nameOf(number), why: "is missing" });
    expect(await findHoles(folder)).toEqual({ problems: [missing(3)], sinceNewest: false });
    rmSync(pathOf(4));
    expect(await findHoles(folder)).toEqual({ problems: [missing(4)], sinceNewest: true });
  });

  test("tells a few of many problems, and how many more there are", () => {
    const many = [1, 2, 3, 4, 5, 6, 7].map((number) => ({ name: nameOf(number), why: "is missing" }));
    expect(tellProblems(many)).toMatch(/0005 is missing; and 2 more\.$/);
  });
});

describe("a log with several time lines", () => {
  const left = (number: number) => `0/${(number * segmentBytes + 500).toString(16).toUpperCase()}`;

  test("goes the way of the latest: what the one before it wrote later does not count", async () => {
    keepHistory(2, `1\t${left(3)}\tbefore 2026-11-01\n`);
    for (const number of [3, 4, 5, 6]) keep(number, { line: 2 });
    rmSync(pathOf(4));
    const { problems: none, newest } = await look();
    expect([none, newest?.name]).toEqual([[], nameOf(6, 2)]);
    rmSync(pathOf(3, 2));
    expect(await problems()).toEqual([`${nameOf(3, 2)} is missing`]);
  });

  test("whose history is missing or damaged is named", async () => {
    for (const number of [3, 4]) keep(number, { line: 2 });
    expect(await problems()).toEqual([expect.stringContaining(`${nameOf(3, 2)} is of a later time line`)]);
    writeFileSync(join(folder, "wal", "00000002.history.gz"), "no gzip");
    expect(await problems()).toEqual([expect.stringContaining("00000002.history is damaged")]);
    keepHistory(2, `7\t${left(3)}\tanother\n`);
    expect(await problems()).toEqual(["00000002.history does not come from time line 1, which the backup is of"]);
  });
});

describe("a replay", () => {
  const place = (offset: number) => BigInt(4 * segmentBytes + offset);
  /** Whether it was to the end, where a change of this length stands at the place where the replay ended. */
  const isWhole = async (offset: number, length: number) => {
    const bytes = makeSegment(4, { used: segmentBytes });
    bytes.writeUInt32LE(length, offset % pageBytes === 0 ? offset + 24 : offset);
    keep(4, { bytes });
    return isReplayed(folder, await look("names"), place(offset));
  };
  const room = pageBytes - 24;

  test("reached the end of the newest segment", async () => {
    expect(await isReplayed(folder, await look("names"), place(segmentBytes))).toBe(true);
    expect(await isReplayed(folder, await look("names"), place(-1))).toBe(false);
  });

  test.each<[string, number, number, boolean]>([
    ["at a change that goes on in the next segment", segmentBytes - 80, 81, true],
    ["at one that goes on there over a page", segmentBytes - pageBytes - 80, 80 + room + 1, true],
    ["at one that begins with a page", segmentBytes - pageBytes, room + 1, true],
    ["at one that the segment has whole", segmentBytes - 80, 80, false],
    ["at one that it has whole, over a page", segmentBytes - pageBytes - 80, 80 + room, false],
    ["in the middle, where nothing follows", 9_000, 0, false],
  ])("that ended %s", async (_where, offset, length, whole) => {
    expect(await isWhole(offset, length)).toBe(whole);
  });
});

test("npm run restore refuses a log that is not whole, and touches nothing", async () => {
  cut(3, 200);
  const file = join(import.meta.dirname, "..", "..", "programs", "restore.ts");
  const home = join(folder, "home");
  const env = { PATH: process.env["PATH"] ?? "", JARA_HOME: home };
  const words = ["--from", folder, "--data-folder", join(home, "data")];
  const refused = await promisify(execFile)(process.execPath, [file, ...words], { env }).catch(
    (error: object) => error,
  );
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(`${nameOf(3)} is damaged.*--accept-loss`) });
  const accepted = await promisify(execFile)(process.execPath, [file, ...words, "--accept-loss"], { env });
  expect(accepted.stderr).toContain("What came after is lost.");
  expect(accepted.stdout).toContain("select pg_last_wal_replay_lsn() >= '0/400000'");
});
