/** The command line itself: what is understood, what is refused, and with which words and code. */
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { jara, liveKey, pages } from "../testing/in-process.ts";
import { createProgram } from "./program.ts";

const nowhere = {
  env: {},
  directory: "/",
  stopped: new AbortController().signal,
  input: { read: async () => "" },
  screen: undefined as never,
};

function* leavesOf(command: Command, words: readonly string[] = []): Generator<readonly [string, Command]> {
  if (command.commands.length === 0) yield [words.join(" "), command];
  for (const inner of command.commands) yield* leavesOf(inner, [...words, inner.name()]);
}
const leaves = [...leavesOf(createProgram(nowhere))];

test("there are commands for everything", () => {
  expect(leaves.length).toBeGreaterThan(40);
});

describe.each(leaves)("jara %s", (name, command) => {
  test("says what it does, and shows an example that begins with itself", async () => {
    const { code, out, asked } = await jara(`${name} --help`);
    expect(code).toBe(0);
    expect(command.description()).toMatch(/^[a-z].*[^.]$/s);
    expect(out).toContain(`$ jara ${name}`);
    expect(asked).toEqual([]);
  });

  test("refuses an option that it does not know, before anything is asked", async () => {
    const words = command.registeredArguments.map(() => "x");
    const needed = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [String(long), "x"]);
    const { code, err, asked } = await jara([...name.split(" "), ...words, ...needed, "--no-such-thing"]);
    expect(code).toBe(2);
    expect(err).toContain("unknown option '--no-such-thing'");
    expect(asked).toEqual([]);
  });
});

test("the version is said", async () => {
  expect(await jara("--version")).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test.each([
  ["transfer list", "transfers"],
  ["walets show", "wallets"],
  ["transfers lst", "list"],
])("%s asks whether %s was meant", async (words, meant) => {
  const { code, err } = await jara(words);
  expect(code).toBe(2);
  expect(err).toContain(`Did you mean ${meant}?`);
});

test.each([
  ["transfers show", "missing required argument 'id'"],
  ["keys create", "missing required argument 'environment'"],
  ["clock advance", "missing required argument 'span'"],
  ["merchants create --name M", "required option '--email <address>' not specified"],
  ["loans quote --amount 5", "required option '--tenure <number>' not specified"],
  ["loans quote --amount 5 --tenure 3 --period yearly", "Allowed choices are daily, weekly, monthly."],
  ["transfers list --limit", "argument missing"],
  ["logs tail --status 999", "A status such as 404, or a kind of them such as 4xx."],
  ["logs tail --status 4x", "A status such as 404"],
  ["logs tail --method FETCH", "One of GET, POST, PUT, PATCH, DELETE."],
  ["archive read --from yesterday", "A day such as 2026-01-31"],
  ["archive read --to 2026-13-45", "A day such as 2026-01-31"],
])("%s is refused: %s", async (words, says) => {
  const { code, err, asked } = await jara(words);
  expect(code).toBe(2);
  expect(err).toContain(says);
  expect(asked).toEqual([]);
});

test.each(["0", "-1", "10001", "1.5", "ten", "1e3", ""])("a limit of %j is refused", async (limit) => {
  const { code, err } = await jara(["transfers", "list", "--limit", limit]);
  expect(code).toBe(2);
  expect(err).toContain("A whole number from 1 to 10000.");
});

test.each([1, 10_000])("a limit of %i is taken", async (limit) => {
  const { code } = await jara(`transfers list --limit ${limit}`, { replies: { "GET /transfers": pages([]) } });
  expect(code).toBe(0);
});

test("a live key wants to be meant, also before a harmless list", async () => {
  const env = { JARA_SECRET_KEY: liveKey };
  const replies = { "GET /transfers": pages([]) };
  expect(await jara("transfers list", { env, replies })).toMatchObject({
    code: 4,
    err: expect.stringContaining("Add --live if you mean it."),
    asked: [],
  });
  expect((await jara("transfers list --live", { env, replies })).code).toBe(0);
});

test.each([
  ["jara wallets fund", "wallets fund 5000"],
  ["The clock", "clock show"],
  ["jara messages", "messages"],
])("%s is for sandboxes, whatever was meant", async (what, words) => {
  const { code, err, asked } = await jara(`${words} --live`, { env: { JARA_SECRET_KEY: liveKey } });
  expect(code).toBe(4);
  expect(err).toContain(`${what} works in a sandbox only.`);
  expect(asked).toEqual([]);
});

test.each(["pk_test_abc", "sk_test_a b", "sk_prod_abc", "hunter2"])(
  "%j is no key, and is not repeated",
  async (key) => {
    const { code, err } = await jara(["wallets", "list", "--key", key]);
    expect(code).toBe(4);
    expect(err).not.toContain(key);
  },
);

test("no key at all says where one comes from", async () => {
  const { code, err } = await jara("wallets list", { env: { JARA_SECRET_KEY: "" } });
  expect(code).toBe(4);
  expect(err).toContain("Set JARA_SECRET_KEY, give --key, or run npm start");
});
