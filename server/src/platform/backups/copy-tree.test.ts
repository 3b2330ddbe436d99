/** A copy of a folder: all of it, nothing besides, and not what was left out. */
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { copyTree, syncToDisk } from "./copy-tree.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jara-copy-"));
  mkdirSync(join(folder, "from"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const from = (...names: string[]) => join(folder, "from", ...names);
const to = (...names: string[]) => join(folder, "to", ...names);

/** Every file below a folder, with what is in it. */
async function contentOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((path) => [path.slice(root.length + 1), readFileSync(path, "latin1")]));
}

function write(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text, "latin1");
}

describe("a copy of a folder", () => {
  test("has every file at its place, empty folders too, and says how many bytes", async () => {
    write(from("PG_VERSION"), "18\n");
    write(from("base", "1", "1259"), "x".repeat(8_192));
    mkdirSync(from("pg_notify"));
    expect(await copyTree(from(), to())).toBe(8_195);
    expect(await contentOf(to())).toEqual(await contentOf(from()));
    expect(lstatSync(to("pg_notify")).isDirectory()).toBe(true);
  });

  test("can be opened by its owner only, as PostgreSQL wants it", async () => {
    write(from("base", "1"), "x");
    await copyTree(from(), to());
    for (const path of [to(), to("base")]) expect(lstatSync(path).mode & 0o077, path).toBe(0);
  });

  test("leaves out what is not wanted, and all that is below it", async () => {
    write(from("pg_wal", "000000010000000000000001"), "log");
    write(from("pg_wal", "archive_status", "x.done"), "");
    write(from("postmaster.pid"), "1");
    write(from("base", "1"), "data");
    const asked: string[] = [];
    const bytes = await copyTree(from(), to(), (path, isFolder) => {
      asked.push(`${path}${isFolder ? "/" : ""}`);
      return path !== "pg_wal" && path !== "postmaster.pid";
    });
    expect(bytes).toBe(4);
    expect(await contentOf(to())).toEqual({ [join("base", "1")]: "data" });
    expect(asked.toSorted()).toEqual(["base/", "base/1", "pg_wal/", "postmaster.pid"]);
  });

  test("is refused where tables lie in other places: they would be missing", async () => {
    mkdirSync(join(folder, "elsewhere"));
    mkdirSync(from("pg_tblspc"));
    symlinkSync(join(folder, "elsewhere"), from("pg_tblspc", "16400"));
    await expect(copyTree(from(), to())).rejects.toThrow("is neither a file nor a folder");
  });

  test("does without a file that PostgreSQL deleted meanwhile", async () => {
    write(from("base", "1"), "data");
    write(from("base", "2"), "gone");
    const bytes = await copyTree(from(), to(), (path) => {
      if (path === join("base", "2")) rmSync(from("base", "2"));
      return true;
    });
    expect(bytes).toBe(4);
    expect(Object.keys(await contentOf(to()))).toEqual([join("base", "1")]);
  });

  test("of a folder that is not there is a mistake", async () => {
    await expect(copyTree(from("nowhere"), to())).rejects.toThrow("ENOENT");
  });

  test("is the same to the byte, whatever the files are called and hold", async () => {
    const name = fc.stringMatching(/^[a-zA-Z0-9_.-]{1,12}$/).filter((one) => !/^\.+$/.test(one));
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString("latin1"));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, bytes, { maxKeys: 6 }),
        fc.array(name, { maxLength: 3 }),
        async (files, way) => {
          const root = mkdtempSync(join(folder, "one-"));
          // Below folders of their own, so that no name is a folder and a file at once.
          const below = way.map((step) => `d-${step}`);
          for (const [file, content] of Object.entries(files))
            write(join(root, "from", ...below, `f-${file}`), content);
          mkdirSync(join(root, "from"), { recursive: true });
          const copied = await copyTree(join(root, "from"), join(root, "to"));
          expect(await contentOf(join(root, "to"))).toEqual(await contentOf(join(root, "from")));
          expect(copied).toBe(Object.values(files).reduce((sum, content) => sum + content.length, 0));
        },
      ),
      { numRuns: 20 },
    );
  });

  test("is brought down to the disk file by file, with its size", async () => {
    write(from("x"), "12345");
    expect(await syncToDisk(from("x"))).toBe(5);
    await expect(syncToDisk(from("y"))).rejects.toThrow("ENOENT");
  });
});
