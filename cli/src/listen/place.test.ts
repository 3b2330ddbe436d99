import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CliError } from "../cli-error.ts";
import { type Listener, readCursor, readSecret, register, writeCursor } from "./place.ts";

function listener(more: Partial<Listener> = {}): Listener {
  const home = mkdtempSync(join(tmpdir(), "jara-place-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const base = { baseUrl: "http://localhost:4000", secretKey: "sk_test_1", url: "http://localhost:3000/hooks" };
  return { home, ...base, events: undefined, ...more };
}

/** Every file that the listener has written. */
function files({ home }: Listener): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

test("the secret is made once, and kept from other people", async () => {
  const one = listener();
  const secret = await readSecret(one);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect(await readSecret(one)).toBe(secret);
  const [file = ""] = files(one);
  expect(statSync(file).mode & 0o077).toBe(0);
  // The folder's name does not tell the key.
  expect(file).not.toContain("sk_test_1");
});

test.each([{ secretKey: "sk_test_2" }, { baseUrl: "http://localhost:4001" }])(
  "another environment (%j) has another secret",
  async (other) => {
    const one = listener();
    expect(await readSecret({ ...one, ...other })).not.toBe(await readSecret(one));
  },
);

test("two addresses of one environment share the secret and have a place each", async () => {
  const one = listener();
  const two = { ...one, url: "http://localhost:5000" };
  expect(await readSecret(two)).toBe(await readSecret(one));
  await writeCursor(one, "c-1");
  expect([readCursor(one), readCursor(two)]).toEqual(["c-1", undefined]);
  await writeCursor(two, null);
  expect([readCursor(one), readCursor(two)]).toEqual(["c-1", null]);
});

test("another choice of events is another place", async () => {
  const one = listener();
  await writeCursor(one, "c-1");
  expect(readCursor({ ...one, events: "bill.failed" })).toBeUndefined();
});

test("a file that somebody broke is named, with what to do, and nothing of it is shown", async () => {
  const one = listener();
  await readSecret(one);
  for (const file of files(one)) writeFileSync(file, '{"secret":"whsec_hush');
  const error = await readSecret(one).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CliError);
  expect(String(error)).toMatch(/secret\.json cannot be read\. Delete it; the next run makes a new one\./);
  expect(String(error)).not.toContain("hush");
});

test.each(["null", "{}", '{"secret":5}'])("a secret file that says %s is made again", async (text) => {
  const one = listener();
  await readSecret(one);
  for (const file of files(one)) writeFileSync(file, text);
  expect(await readSecret(one)).toMatch(/^whsec_/);
});

test("a second listener hears of the first while it lives, and not of one that is gone", async () => {
  const one = listener();
  expect((await register(one)).other).toBeUndefined();
  // As if another process had written it: our parent lives, and no process has the highest number.
  const [file = ""] = files(one);
  writeFileSync(file, JSON.stringify({ pid: process.ppid }));
  expect((await register(one)).other).toBe(process.ppid);
  writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1 }));
  const { other, leave } = await register(one);
  expect(other).toBeUndefined();
  await leave();
  expect(files(one)).toEqual([]);
});
