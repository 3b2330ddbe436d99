import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Backup, backupFile, beginBackup, chooseBackup, folderOf, listBackups, prune } from "./shelf.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jara-shelf-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(label: string, finishedAt: string, firstSegment = "000000010000000000000001"): void {
  const backup: Backup = { label, finishedAt, firstSegment, serverVersion: "18.1", archived: true };
  mkdirSync(folderOf(folder, label), { recursive: true });
  writeFileSync(join(folderOf(folder, label), backupFile), JSON.stringify(backup));
}

const labels = () => listBackups(folder).map(({ label }) => label);

describe("a folder of backups", () => {
  test("lists them from the oldest on, and none that was cut short", () => {
    put("20261102T000000Z", "2026-11-02T00:05:00.000Z");
    put("20261101T000000Z", "2026-11-01T00:05:00.000Z");
    beginBackup(folder, "20261103T000000Z");
    mkdirSync(folderOf(folder, "20261104T000000Z"));
    expect(labels()).toEqual(["20261101T000000Z", "20261102T000000Z"]);
  });

  test("is empty when nobody has made one", () => {
    expect(listBackups(join(folder, "nowhere"))).toEqual([]);
    expect(() => chooseBackup(folder, undefined)).toThrow("holds no finished backup. Make one with: npm run backup");
  });

  test("clears away what an earlier backup left half done", () => {
    const left = beginBackup(folder, "20261103T000000Z");
    writeFileSync(join(left, "half"), "");
    const place = beginBackup(folder, "20261104T000000Z");
    expect(existsSync(left)).toBe(false);
    expect(readdirSync(place)).toEqual([]);
  });
});

describe("the backup for a moment", () => {
  beforeEach(() => {
    put("20261101T000000Z", "2026-11-01T00:05:00.000Z");
    put("20261102T000000Z", "2026-11-02T00:05:00.000Z");
  });

  test.each([
    ["without a moment it is the latest", undefined, "20261102T000000Z"],
    ["it is the last that was finished by then", "2026-11-02T00:04:59Z", "20261101T000000Z"],
    ["one that was finished in that very moment counts", "2026-11-02T00:05:00Z", "20261102T000000Z"],
    ["a later moment takes the latest", "2026-12-24T00:00:00Z", "20261102T000000Z"],
  ])("%s", (_, at, label) => {
    expect(chooseBackup(folder, at === undefined ? undefined : new Date(at)).label).toBe(label);
  });

  test("before the oldest there is none, and it says when that was finished", () => {
    expect(() => chooseBackup(folder, new Date("2026-11-01T00:04:59Z"))).toThrow("2026-11-01T00:05:00.000Z");
  });
});

describe("clearing away", () => {
  const segments = [
    "000000010000000000000001.gz",
    "000000010000000000000002.gz",
    "000000010000000000000003.00000028.backup.gz",
    "000000010000000000000003.gz",
    "000000020000000000000004.gz",
    "00000002.history.gz",
  ];

  beforeEach(() => {
    put("20261101T000000Z", "2026-11-01T00:05:00.000Z", "000000010000000000000001");
    put("20261102T000000Z", "2026-11-02T00:05:00.000Z", "000000010000000000000003");
    put("20261103T000000Z", "2026-11-03T00:05:00.000Z", "000000020000000000000004");
    mkdirSync(join(folder, "wal"));
    for (const name of segments) writeFileSync(join(folder, "wal", name), "");
  });

  const left = () => readdirSync(join(folder, "wal")).sort();

  test("keeps the newest, what the oldest of them needs of the log, and the history of time lines", () => {
    expect(prune(folder, 2)).toEqual({ backups: ["20261101T000000Z"], segments: 2 });
    expect(labels()).toEqual(["20261102T000000Z", "20261103T000000Z"]);
    expect(left()).toEqual(segments.slice(2).sort());
  });

  test("a segment counts by its place in the log, whatever time line it is on", () => {
    prune(folder, 1);
    expect(left()).toEqual(["000000020000000000000004.gz", "00000002.history.gz"].sort());
  });

  test("deletes nothing when there are fewer than are to be kept", () => {
    expect(prune(folder, 7)).toEqual({ backups: [], segments: 0 });
    expect(left()).toEqual([...segments].sort());
  });
});
