import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { copyTree } from "./copy-tree.ts";
import { layOut } from "./lay-out.ts";
import { type Backup, folderOf } from "./shelf.ts";

let place = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "jara-lay-out-"));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function write(path: string, content: string): void {
  const whole = join(place, path);
  mkdirSync(join(whole, ".."), { recursive: true });
  writeFileSync(whole, content);
}
const read = (path: string) => readFileSync(join(place, path), "utf8");

describe("a folder that is copied", () => {
  beforeEach(() => {
    write("from/PG_VERSION", "18");
    write("from/base/1/2619", "a table");
    write("from/pg_wal/1", "the log");
  });

  test("arrives whole, with its empty folders, and the bytes are counted", async () => {
    mkdirSync(join(place, "from", "pg_notify"));
    expect(await copyTree(join(place, "from"), join(place, "to"))).toBe("18a tablethe log".length);
    expect([read("to/PG_VERSION"), read("to/base/1/2619"), read("to/pg_wal/1")]).toEqual(["18", "a table", "the log"]);
    expect(statSync(join(place, "to", "pg_notify")).isDirectory()).toBe(true);
  });

  test("is closed to everybody else", async () => {
    await copyTree(join(place, "from"), join(place, "to"));
    expect(statSync(join(place, "to")).mode & 0o077).toBe(0);
    expect(statSync(join(place, "to", "base")).mode & 0o077).toBe(0);
  });

  test("leaves out what is not wanted, with everything below", async () => {
    const asked: string[] = [];
    await copyTree(join(place, "from"), join(place, "to"), (path, isFolder) => {
      asked.push(`${path}${isFolder ? "/" : ""}`);
      return path !== "pg_wal";
    });
    expect(existsSync(join(place, "to", "pg_wal"))).toBe(false);
    expect(asked.toSorted()).toEqual(["PG_VERSION", "base/", "base/1/", "base/1/2619", "pg_wal/"]);
  });

  test("must hold files and folders only: a link would lead to a table that is not copied", async () => {
    symlinkSync("/tmp", join(place, "from", "pg_tblspc"));
    await expect(copyTree(join(place, "from"), join(place, "to"))).rejects.toThrow("tables in other places");
  });
});

describe("a backup that is laid out", () => {
  const backup: Backup = {
    label: "20261102T000000Z",
    finishedAt: "2026-11-02T00:05:00.000Z",
    firstSegment: "000000010000000000000001",
    serverVersion: "18.1",
    archived: true,
  };
  const backups = () => join(place, "backups");
  const data = () => join(place, "data");
  beforeEach(() => {
    const base = join("backups", "base", backup.label, "data");
    write(join(base, "PG_VERSION"), "18");
    write(join(base, "postgresql.auto.conf"), "port = 5432\n");
  });
  const settings = () => read("data/postgresql.auto.conf");

  test("is brought to the wanted moment when PostgreSQL starts", async () => {
    await layOut({ from: backups(), backup, at: new Date("2026-11-02T08:00:00.123Z") }, data());
    expect(existsSync(join(data(), "recovery.signal"))).toBe(true);
    expect(settings()).toContain("recovery_target_time = '2026-11-02 08:00:00.123+00'");
    expect(settings()).toContain(`gzip -dc "${backups()}/wal/%f.gz" > "%p"; else`);
    expect(settings()).toContain("recovery_target_action = 'promote'");
    expect(settings().startsWith("port = 5432\n")).toBe(true);
  });

  test("goes as late as the log does without a moment", async () => {
    await layOut({ from: backups(), backup, at: undefined }, data());
    expect(settings()).not.toContain("recovery_target_time =");
    expect(settings()).toContain("recovery_target_timeline = 'latest'");
    expect(settings()).toContain("|| exit 126");
  });

  test("never takes the place of a folder that is there: it may be all that is left", async () => {
    write("data/PG_VERSION", "17");
    await expect(layOut({ from: backups(), backup, at: undefined }, data())).rejects.toThrow("Move it away first");
    expect(read("data/PG_VERSION")).toBe("17");
  });

  test("leaves nothing half done behind", async () => {
    rmSync(join(folderOf(backups(), backup.label), "data"), { recursive: true });
    await expect(layOut({ from: backups(), backup, at: undefined }, data())).rejects.toThrow("ENOENT");
    expect(existsSync(data())).toBe(false);
  });

  test("is not begun with a folder whose name a shell would read", async () => {
    const odd = join(place, "it's here");
    await expect(layOut({ from: odd, backup, at: undefined }, data())).rejects.toThrow("must not have quotes");
    expect(existsSync(data())).toBe(false);
  });
});
