import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openArchive, restoreCommand, segmentsIn } from "./archive.ts";
import { findBinaries } from "./binaries.ts";

const place = mkdtempSync(join(tmpdir(), "jara-archive-"));
const backups = join(place, "back ups");
const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
const lodging = {
  account: { name: "own", prefix: [], uid, gid },
  binaries: findBinaries(),
  folder: place,
} as const;
afterAll(() => rmSync(place, { recursive: true }));

const name = "000000010000000000000001";
const segment = join(place, name);
writeFileSync(segment, "a segment");

/** As PostgreSQL runs it. */
function run(command: string, path = segment): number | null {
  const text = command.replaceAll("%p", path).replaceAll("%f", name);
  return spawnSync("sh", ["-c", text], { cwd: place }).status;
}

test("a segment is kept compressed, and comes back as it was", () => {
  const { archive_command: command = "" } = openArchive(backups, lodging);
  expect(run(command)).toBe(0);
  expect(readdirSync(segmentsIn(backups))).toEqual([`${name}.gz`]);
  expect(execFileSync("gzip", ["-dc", join(segmentsIn(backups), `${name}.gz`)], { encoding: "utf8" })).toBe(
    "a segment",
  );
  const back = join(place, "back");
  expect(run(restoreCommand(backups, true), back)).toBe(0);
  expect(readFileSync(back, "utf8")).toBe("a segment");
});

test("a segment that comes twice is taken, another one of its name is not", () => {
  const { archive_command: command = "" } = openArchive(backups, lodging);
  expect(run(command)).toBe(0);
  const stranger = join(place, "stranger");
  writeFileSync(stranger, "another history");
  expect(run(command, stranger)).not.toBe(0);
  expect(execFileSync("gzip", ["-dc", join(segmentsIn(backups), `${name}.gz`)], { encoding: "utf8" })).toBe(
    "a segment",
  );
});

test("a segment that was cut short is not kept", () => {
  const { archive_command: command = "" } = openArchive(join(place, "fresh"), lodging);
  expect(run(command, join(place, "missing"))).not.toBe(0);
  expect(existsSync(join(place, "fresh", "wal", `${name}.gz`))).toBe(false);
});

test("a segment that is not there is said to be missing", () => {
  expect(run(restoreCommand(join(place, "nowhere"), true), join(place, "nothing"))).toBe(1);
});

test("a damaged segment stops PostgreSQL, where the log is to be replayed to its end", () => {
  const damaged = join(place, "damaged");
  mkdirSync(segmentsIn(damaged), { recursive: true });
  writeFileSync(join(segmentsIn(damaged), `${name}.gz`), "no gzip");
  const code = (stops: boolean) => run(restoreCommand(damaged, stops), join(place, "torn"));
  expect([code(true), code(false)]).toEqual([126, 1]);
});

test.each(["it's", "100%", "a$HOME", 'a"b', "a`b`"])("a folder called %s is refused", (odd) => {
  expect(() => openArchive(join(place, odd), lodging)).toThrow("must not have quotes");
  expect(() => restoreCommand(join(place, odd), true)).toThrow("must not have quotes");
});

test.runIf(uid === 0)("a folder that PostgreSQL's user cannot enter is refused before anything starts", () => {
  const closed = join(place, "closed");
  mkdirSync(closed, { mode: 0o700 });
  const nobody = { ...lodging, account: { name: "nobody", prefix: [], uid: 65_534, gid: 65_534 } as const };
  expect(() => openArchive(join(closed, "backups"), nobody)).toThrow(/cannot write to .*JARA_BACKUP_FOLDER/);
});
