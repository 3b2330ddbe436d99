/** The files beside a server, broken in every way that files break. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { CliError } from "./cli-error.ts";
import { addressOf, connect } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { readDevServer, readJson } from "./home.ts";

const home = mkdtempSync(join(tmpdir(), "jara-home-"));
const file = join(home, "dev.json");
afterAll(() => rmSync(home, { recursive: true }));

const secretKey = `sk_test_${"S".repeat(36)}`;
const around = (env: Readonly<Record<string, string>> = {}) => ({ env: { JARA_HOME: home, ...env }, directory: "/" });

test.each([
  ["nothing", ""],
  ["half of itself", `{"baseUrl":"http://localhost:4000","secretKey":"${secretKey}`],
  ["another language", "baseUrl: http://localhost:4000"],
  ["a byte order mark", `\uFEFF{"baseUrl":"http://localhost:4000"}`],
])("a file with %s is named with its cure, and never shown", (_case, content) => {
  writeFileSync(file, content);
  const failure = expect(() => readDevServer(home));
  failure.toThrow(CliError);
  failure.toThrow(`${file} cannot be read. Delete it; npm start writes it again.`);
  try {
    readDevServer(home);
  } catch (error) {
    expect(String(error)).not.toContain("sk_test_");
    expect(error).toMatchObject({ exitCode: exitCodes.unexpected });
  }
});

test.each([
  ["null", "null"],
  ["a list", "[]"],
  ["a number", "42"],
  ["no key", '{"baseUrl":"http://localhost:4000"}'],
  ["a key of another kind", '{"baseUrl":"http://localhost:4000","secretKey":7}'],
])("a file with %s knows no server", (_case, content) => {
  writeFileSync(file, content);
  expect(readDevServer(home)).toBeUndefined();
});

test("more than is needed does no harm, and the operator's token may be missing", () => {
  writeFileSync(file, JSON.stringify({ baseUrl: "http://localhost:4321", secretKey, more: true }));
  expect(readDevServer(home)).toEqual({ baseUrl: "http://localhost:4321", secretKey, operatorToken: undefined });
});

test("what is given counts more than what is set, and that more than what was written", () => {
  writeFileSync(file, JSON.stringify({ baseUrl: "http://written:1", secretKey }));
  const env = { JARA_BASE_URL: "http://set:2" };
  expect(addressOf({ baseUrl: "http://given:3" }, around(env))).toBe("http://given:3");
  expect(addressOf({}, around(env))).toBe("http://set:2");
  expect(addressOf({}, around({ JARA_BASE_URL: "" }))).toBe("http://written:1");
});

test("a key that was copied with a blank or a line's end is taken", () => {
  const { secretKey: taken, isLive } = connect({ key: ` ${secretKey}\n` }, around());
  expect([taken, isLive]).toEqual([secretKey, false]);
});

test("an address that is none is refused in words", () => {
  expect(() => connect({ key: secretKey, baseUrl: "localhost:4000" }, around())).toThrow("baseUrl");
});

test("any file of ours is read as JSON, or named", () => {
  const other = join(home, "place.json");
  writeFileSync(other, '{"cursor":7}');
  expect(readJson(other, "it is written again.")).toEqual({ cursor: 7 });
  writeFileSync(other, "{");
  expect(() => readJson(other, "it is written again.")).toThrow(
    `${other} cannot be read. Delete it; it is written again.`,
  );
});
