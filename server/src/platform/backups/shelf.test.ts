import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Backup,
  backupFile,
  beginBackup,
  chooseBackup,
  folderOf,
  listBackups,
  prune,
  tellDamaged,
} from "./shelf.ts";

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

/** What is left when a disk was full, or a person has edited it. */
function damage(label: string, text = '{"label": "2026'): void {
  mkdirSync(folderOf(folder, label), { recursive: true });
  writeFileSync(join(folderOf(folder, label), backupFile), text);
}

const labels = () => listBackups(folder).backups.map(({ label }) => label);
const damaged = () => listBackups(folder).damaged.map(({ label }) => label);

describe("a folder of backups", () => {
  test("lists them from the oldest on, and none that was cut short", () => {
    put("20261102T000000Z", "2026-11-02T00:05:00.000Z");
    put("20261101T000000Z", "2026-11-01T00:05:00.000Z");
    beginBackup(folder, "20261103T000000Z");
    mkdirSync(folderOf(folder, "20261104T000000Z"));
    expect(labels()).toEqual(["20261101T000000Z", "20261102T000000Z"]);
  });

  test("is empty when nobody has made one", () => {
    expect(listBackups(join(folder, "nowhere"))).toEqual({ backups: [], damaged: [] });
    expect(() => chooseBackup(folder, undefined)).toThrow("holds no finished backup. Make one with: npm run backup");
  });

  test("shows the others beside a damaged one, and names that", () => {
    put("20261101T000000Z", "2026-11-01T00:05:00.000Z");
    damage("20261102T000000Z");
    put("20261103T000000Z", "2026-11-03T00:05:00.000Z");
    expect(labels()).toEqual(["20261101T000000Z", "20261103T000000Z"]);
    expect(damaged()).toEqual(["20261102T000000Z"]);
    const [line] = tellDamaged(folder, listBackups(folder).damaged);
    expect(line).toContain(`${folderOf(folder, "20261102T000000Z")} is damaged and was left out: `);
  });

  const good = { label: "b", finishedAt: "2026-11-02T00:05:00.000Z", firstSegment: "0".repeat(24) };
  const rest = { serverVersion: "18.1", archived: true };
  test.each<[string, unknown]>([
    ["nothing", ""],
    ["no object", "null"],
    ["a list", "[]"],
    ["no moment", { ...good, ...rest, finishedAt: "yesterday" }],
    ["no segment", { ...good, ...rest, firstSegment: "" }],
    ["too little", good],
    ["another backup's", { ...good, ...rest, label: "a" }],
  ])("takes one for damaged that says %s", (_what, said) => {
    damage("b", typeof said === "string" ? said : JSON.stringify(said));
    expect([labels(), damaged()]).toEqual([[], ["b"]]);
  });

  test("takes one for damaged that cannot be read at all", () => {
    mkdirSync(join(folderOf(folder, "b"), backupFile), { recursive: true });
    expect(listBackups(folder).damaged).toEqual([{ label: "b", why: expect.stringContaining("EISDIR") }]);
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

  test.each([
    ["a damaged one is passed over, and told", undefined, "20261102T000000Z"],
    ["also where it would have been the one", "2026-11-03T01:00:00Z", "20261102T000000Z"],
  ])("%s", (_, at, label) => {
    damage("20261103T000000Z");
    const chosen = chooseBackup(folder, at === undefined ? undefined : new Date(at));
    expect([chosen.label, chosen.damaged.map((each) => each.label)]).toEqual([label, ["20261103T000000Z"]]);
  });

  test("where only damaged ones are left, the refusal names them", () => {
    for (const label of ["20261101T000000Z", "20261102T000000Z"]) damage(label);
    expect(() => chooseBackup(folder, undefined)).toThrow(
      /no finished backup.*20261101T000000Z is damaged.*20261102T000000Z is damaged/,
    );
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
    expect(prune(folder, 2)).toEqual({ backups: ["20261101T000000Z"], damaged: [], segments: 2 });
    expect(labels()).toEqual(["20261102T000000Z", "20261103T000000Z"]);
    expect(left()).toEqual(segments.slice(2).sort());
  });

  test("a damaged one is neither counted nor deleted, and told", () => {
    damage("20261102T000000Z");
    damage("20261104T000000Z");
    const { backups, damaged: told, segments: gone } = prune(folder, 1);
    expect([backups, told.map(({ label }) => label), gone]).toEqual([
      ["20261101T000000Z"],
      ["20261102T000000Z", "20261104T000000Z"],
      4,
    ]);
    expect([labels(), damaged()]).toEqual([["20261103T000000Z"], ["20261102T000000Z", "20261104T000000Z"]]);
  });

  test("a copy under another name does not cost the one that it was copied from", () => {
    cpSync(folderOf(folder, "20261103T000000Z"), folderOf(folder, "20261103T000000Z.copy"), { recursive: true });
    expect(prune(folder, 1).backups).toEqual(["20261101T000000Z", "20261102T000000Z"]);
    expect([labels(), damaged()]).toEqual([["20261103T000000Z"], ["20261103T000000Z.copy"]]);
  });

  test("a segment counts by its place in the log, whatever time line it is on", () => {
    prune(folder, 1);
    expect(left()).toEqual(["000000020000000000000004.gz", "00000002.history.gz"].sort());
  });

  test("deletes nothing when there are fewer than are to be kept", () => {
    expect(prune(folder, 7)).toEqual({ backups: [], damaged: [], segments: 0 });
    expect(left()).toEqual([...segments].sort());
  });
});
