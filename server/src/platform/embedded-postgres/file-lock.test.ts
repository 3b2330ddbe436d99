import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Account, identityOf, placeElsewhere } from "./account.ts";
import { binariesIn, restoreLinks } from "./binaries.ts";
import { keepServing, lockExclusively, type Revival, tryLockExclusively, tryLockShared } from "./start.ts";

import { waitUntil } from "./wait.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jara-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const file = () => join(folder, "lock");

describe("a lock on a file", () => {
  test("keeps everybody else out until it is released", () => {
    const held = tryLockExclusively(file());
    expect(held).toBeDefined();
    expect(tryLockExclusively(file())).toBeUndefined();
    expect(tryLockShared(file())).toBeUndefined();
    held?.release();
    expect(tryLockExclusively(file())).toBeDefined();
  });

  test("that is shared is held by many, and keeps out who wants it alone", () => {
    const both = [tryLockShared(file()), tryLockShared(file())];
    expect(both.every((lock) => lock !== undefined)).toBe(true);
    expect(tryLockExclusively(file())).toBeUndefined();
    both[0]?.release();
    expect(tryLockExclusively(file())).toBeUndefined();
    both[1]?.release();
    expect(tryLockExclusively(file())).toBeDefined();
  });

  test("is released once, however often that is said", () => {
    const held = tryLockExclusively(file());
    held?.release();
    expect(() => held?.release()).not.toThrow();
    const next = tryLockExclusively(file());
    held?.release();
    expect(tryLockExclusively(file())).toBeUndefined();
    next?.release();
  });

  test("is waited for, and given up with the name of the file", async () => {
    const held = tryLockExclusively(file());
    await expect(lockExclusively(file(), 20)).rejects.toThrow(`Another process has held ${file()} for 0.02 seconds.`);
    const waiting = lockExclusively(file(), 60_000);
    held?.release();
    (await waiting).release();
  });

  test("in a folder that is not there is a mistake, not a lock that somebody holds", () => {
    expect(() => tryLockExclusively(join(folder, "nowhere", "lock"))).toThrow();
  });
});

describe("waiting", () => {
  test("ends at once for what holds already, and looks again for what does not yet", async () => {
    let looks = 0;
    expect(await waitUntil(() => true, 0)).toBe(true);
    expect(await waitUntil(() => ++looks === 3, 60_000)).toBe(true);
    expect(looks).toBe(3);
  });

  test("ends when its time is over", async () => {
    expect(await waitUntil(() => false, 1)).toBe(false);
  });
});

describe("keeping PostgreSQL there", () => {
  /** Plays until so much was told. */
  async function play(isThere: () => boolean, revive: () => Promise<void>): Promise<Revival> {
    const end = new AbortController();
    return new Promise((resolve) => {
      const onRevival = (revival: Revival) => {
        end.abort();
        resolve(revival);
      };
      void keepServing({ isThere, revive, onRevival }, end.signal);
    });
  }

  test("brings it back when it is gone, and says for how long it was", async () => {
    let there = false;
    const revival = await play(
      () => there,
      async () => {
        there = true;
      },
    );
    expect(revival).toEqual({ backAfterMs: expect.any(Number) });
  });

  test("says what stands in the way", async () => {
    const error = new Error("no space left on device");
    expect(
      await play(
        () => false,
        () => Promise.reject(error),
      ),
    ).toEqual({ error });
  });

  test("does nothing once it is stopped", async () => {
    const asked: string[] = [];
    await keepServing(
      {
        isThere: () => {
          asked.push("there?");
          return false;
        },
        revive: async () => void asked.push("revive"),
        onRevival: () => asked.push("told"),
      },
      AbortSignal.abort(),
    );
    expect(asked).toEqual([]);
  });
});

describe("the programs of the package", () => {
  test("get the links that npm could not hold, and keep those that are there", () => {
    const native = join(folder, "native");
    mkdirSync(join(native, "lib"), { recursive: true });
    writeFileSync(join(native, "lib", "libpq.so.5.18"), "");
    writeFileSync(
      join(native, "pg-symlinks.json"),
      JSON.stringify([{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }]),
    );
    restoreLinks(native);
    restoreLinks(native);
    expect(readlinkSync(join(native, "lib", "libpq.so.5"))).toBe("libpq.so.5.18");
  });

  test("need no list where the package has none", () => {
    restoreLinks(folder);
    expect(existsSync(join(folder, "lib"))).toBe(false);
    expect(binariesIn("/x")).toEqual({ native: "/x", initdb: "/x/bin/initdb", postgres: "/x/bin/postgres" });
  });
});

describe("the account that PostgreSQL runs as", () => {
  const account = (name: Account["name"]): Account => ({ name, prefix: [], uid: 65_534, gid: 65_534 });

  test.each([
    ["own", {}],
    ["namespace", {}],
    ["nobody", { uid: 65_534, gid: 65_534 }],
    ["owner", { uid: 65_534, gid: 65_534 }],
  ] as const)("%s is taken on by the process: %j", (name, identity) => {
    expect(identityOf(account(name))).toEqual(identity);
  });

  test("has a place of its own elsewhere for each folder, the same at every start", () => {
    expect(placeElsewhere("/root/a/.jara/postgres")).toBe(placeElsewhere("/root/a/.jara/postgres"));
    expect(placeElsewhere("/root/a")).not.toBe(placeElsewhere("/root/b"));
    expect(placeElsewhere("/root/a", "/srv")).toMatch(/^\/srv\/[0-9a-f]{16}$/);
  });
});
