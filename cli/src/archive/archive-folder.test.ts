import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { type ArchiveFile, hasItsSize, readArchive, readLines } from "./archive-folder.ts";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "jara-archive-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Written {
  readonly first: number;
  readonly last: number;
  readonly environment?: string;
  readonly month?: string;
  readonly change?: Readonly<Record<string, unknown>>;
}

/** As the server writes it; returns how the two files begin. */
function write(
  folder: string,
  { first, last, environment = "env-a", month = "2026-01", change = {} }: Written,
): string {
  const lines = Array.from({ length: last - first + 1 }, (_, at) => JSON.stringify({ position: first + at }));
  const packed = gzipSync(`${lines.join("\n")}\n`);
  mkdirSync(join(folder, environment, month), { recursive: true });
  const stem = join(folder, environment, month, `events-${String(first).padStart(12, "0")}`);
  const manifest = {
    version: 1,
    environment,
    environmentKind: "LIVE",
    month,
    rows: lines.length,
    firstPosition: first,
    lastPosition: last,
    firstAt: "2026-01-01T00:00:00.000Z",
    lastAt: "2026-01-31T00:00:00.000Z",
    bytes: packed.length,
    sha256: createHash("sha256").update(packed).digest("hex"),
    writtenAt: "2026-02-01T00:00:00.000Z",
    ...change,
  };
  writeFileSync(`${stem}.ndjson.gz`, packed);
  writeFileSync(`${stem}.json`, JSON.stringify(manifest));
  return stem;
}
const rangesOf = (files: readonly ArchiveFile[]) =>
  files.map(({ environment, firstPosition, lastPosition }) => `${environment} ${firstPosition}-${lastPosition}`);

test("files come in the order of the log, environment by environment, whatever the folders' order", () => {
  const folder = emptyFolder();
  write(folder, { first: 1, last: 2, environment: "env-b" });
  write(folder, { first: 11, last: 20, month: "2026-01" });
  write(folder, { first: 1, last: 10, month: "2026-02" });
  const { files, faults } = readArchive(folder);
  expect(rangesOf(files)).toEqual(["env-a 1-10", "env-a 11-20", "env-b 1-2"]);
  expect(faults).toEqual([]);
  expect(rangesOf(readArchive(folder, "env-b").files)).toEqual(["env-b 1-2"]);
  expect(readArchive(folder, "env-c")).toEqual({ files: [], faults: [] });
});

test("what is whole is read line by line", () => {
  const folder = emptyFolder();
  write(folder, { first: 1, last: 3 });
  const [file] = readArchive(folder).files;
  expect(file && hasItsSize(file)).toBe(true);
  expect(file && readLines(file)).toEqual(['{"position":1}', '{"position":2}', '{"position":3}']);
});

test.each([
  ["a gap at the beginning", [[3, 4]], ["Events 1 to 2 of env-a are missing."]],
  [
    "a gap in the middle",
    [
      [1, 2],
      [5, 6],
    ],
    ["Events 3 to 4 of env-a are missing."],
  ],
  [
    "two that overlap after a run that was killed",
    [
      [1, 4],
      [3, 6],
      [7, 8],
    ],
    [],
  ],
] as const)("%s", (_, ranges, faults) => {
  const folder = emptyFolder();
  for (const [first, last] of ranges) write(folder, { first, last });
  const found = readArchive(folder).faults;
  expect(found).toEqual(faults.map((fault) => expect.stringContaining(fault)));
});

test.each([
  ["without its manifest", (stem: string) => rmSync(`${stem}.json`), "events are online"],
  ["without its events", (stem: string) => rmSync(`${stem}.ndjson.gz`), ".ndjson.gz is missing."],
  ["with a broken manifest", (stem: string) => writeFileSync(`${stem}.json`, '{"version":'), "it is not JSON."],
  ["with a manifest that says nothing", (stem: string) => writeFileSync(`${stem}.json`, "null"), "it is not JSON."],
  ["of tomorrow", (stem: string) => writeFileSync(`${stem}.json`, '{"version":2}'), "Read it with a newer jara."],
])("a file %s is told about, and the others are read", (_, harm, words) => {
  const folder = emptyFolder();
  write(folder, { first: 1, last: 2 });
  harm(write(folder, { first: 3, last: 4 }));
  const { files, faults } = readArchive(folder);
  expect(rangesOf(files)).toEqual(["env-a 1-2"]);
  expect(faults).toEqual([expect.stringContaining(words)]);
});

test("a file that is not what was written is not read", () => {
  const folder = emptyFolder();
  const stem = write(folder, { first: 1, last: 2 });
  truncateSync(`${stem}.ndjson.gz`, 20);
  const [file] = readArchive(folder).files;
  expect(file && hasItsSize(file)).toBe(false);
  expect(file && readLines(file)).toContain("is damaged: it is not what was written.");
});

test("a file with fewer events than it promises is damaged", () => {
  const folder = emptyFolder();
  write(folder, { first: 1, last: 2, change: { rows: 3 } });
  const [file] = readArchive(folder).files;
  expect(file && readLines(file)).toContain("it has 2 of 3 events.");
});

test("what a killed run left unfinished, and files of others, are not events", () => {
  const folder = emptyFolder();
  const stem = write(folder, { first: 1, last: 2 });
  writeFileSync(`${stem}.ndjson.gz.part`, "half");
  writeFileSync(join(folder, "notes.txt"), "mine");
  writeFileSync(join(folder, "env-a", "notes.json"), "{}");
  expect(rangesOf(readArchive(folder).files)).toEqual(["env-a 1-2"]);
});
