/** What holds for every command, found by walking the program: a new one is looked at without being named here. */
import { describe, expect, test, vi } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { type Leaf, leavesOf } from "./command-tree.ts";
import { createJara, type Ended } from "./jara-process.ts";
import { createCommandWorld } from "./world.ts";

const { baseUrl } = await createCommandWorld();
vi.setConfig({ testTimeout: 120_000, maxConcurrency: 3 });
const nobody = `http://127.0.0.1:${await findFreePort()}`;
const wrong = createJara({ JARA_SECRET_KEY: `sk_test_${"A".repeat(36)}`, JARA_OPERATOR_TOKEN: "guess" });

/** These speak to no server, start one, or are about servers that do not reply. */
const offline = ["completion", "console", "doctor", "dev", "verify", "archive list", "archive read"];
const leaves = leavesOf();
const online = leaves.filter(({ path }) => !offline.includes(path));
const byPath = ({ path, words }: Leaf) => [path, words] as const;

/** Of each kind one has a process of its own: a reading, a writing, an operator's, and one that goes on until it is stopped. */
const inProcesses = ["transfers list", "pay", "keys revoke", "listen"];

function run(path: string, ...words: string[]): Promise<Ended> {
  return inProcesses.includes(path) ? wrong.run(...words) : wrong.call(...words);
}

test("all commands are found", () => {
  expect(leaves.length).toBeGreaterThan(40);
  expect(leaves.map(({ path }) => path)).toEqual(expect.arrayContaining([...inProcesses, "bills tv"]));
});

describe("without a server", () => {
  test.concurrent.each(online.map(byPath))("jara %s says so in one line", async (path, words) => {
    expect(await run(path, ...words, "--base-url", nobody)).toEqual({
      code: 3,
      out: "",
      err: `No Jara server replies at ${nobody}. Start one with npm start, or name yours with --base-url.\n`,
    });
  });
});

describe("with a wrong key", () => {
  test.concurrent.each(online.map(byPath))("jara %s says so", async (path, words) => {
    const { code, out, err } = await run(path, ...words, "--base-url", baseUrl);
    expect({ code, out }).toEqual({ code: 4, out: "" });
    expect(err).toMatch(/^[A-Z][^\n]+\n {2}invalid_(key|token)[^\n]*, request req_\S+\n( {2}http:\/\/\S+\n)?$/);
  });
});

describe("help", () => {
  test.concurrent.each(leaves.map(byPath))("of jara %s has an example", async (path) => {
    const { code, out } = await run(path, ...path.split(" "), "--help");
    expect(code).toBe(0);
    expect(out).toContain(`Usage: jara ${path}`);
    expect(out).toMatch(new RegExp(`Examples:\\n {2}\\$ jara ${path}`));
  });
});
