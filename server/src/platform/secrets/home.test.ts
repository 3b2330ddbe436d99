import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { generateOperatorToken, keepSecret, openHome, readSecretKey, reasonOf, writeDevFile } from "./home.ts";

const root = mkdtempSync(join(tmpdir(), "jara-home-"));
let home = root;
beforeEach(() => {
  home = mkdtempSync(join(root, "home-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const dev = { baseUrl: "http://localhost:4000", operatorToken: "op_x", docsUrl: "http://localhost:4000/docs" };

function modeOf(name: string): number {
  return statSync(join(home, name)).mode & 0o777;
}

it("a secret is generated once and kept for its owner only", () => {
  const first = keepSecret(home, "operator-token", generateOperatorToken);
  expect(keepSecret(home, "operator-token", generateOperatorToken)).toBe(first);
  expect(modeOf("operator-token")).toBe(0o600);
  expect(readdirSync(home)).toEqual(["operator-token"]);
});

it("a server that comes second takes the secret of the first", () => {
  const late = keepSecret(home, "master-key", () => {
    // The other server finishes while this one is still generating.
    writeFileSync(join(home, "master-key"), "of the first", { mode: 0o600 });
    return "of the second";
  });
  expect(late).toBe("of the first");
  expect(readFileSync(join(home, "master-key"), "utf8")).toBe("of the first");
  expect(readdirSync(home)).toEqual(["master-key"]);
});

it("operator tokens are op_ and 40 letters and digits, each its own", () => {
  const tokens = Array.from({ length: 200 }, generateOperatorToken);
  expect(tokens.filter((token) => !/^op_[0-9A-Za-z]{40}$/.test(token))).toEqual([]);
  expect(new Set(tokens).size).toBe(200);
});

it("dev.json is replaced as a whole and for its owner only", () => {
  writeDevFile(home, { ...dev, secretKey: "sk_test_1" });
  writeDevFile(home, { ...dev, secretKey: "sk_test_2" });
  expect(JSON.parse(readFileSync(join(home, "dev.json"), "utf8"))).toEqual({ ...dev, secretKey: "sk_test_2" });
  expect(modeOf("dev.json")).toBe(0o600);
  expect(readdirSync(home)).toEqual(["dev.json"]);
  expect(readSecretKey(home)).toBe("sk_test_2");
});

it.each(["", "{", "null", "[]", '{"secretKey": 7}'])("a damaged dev.json (%j) holds no key", (text) => {
  writeFileSync(join(home, "dev.json"), text);
  expect(readSecretKey(home)).toBeUndefined();
});

it.each([
  ["inside a file", "file/home", /JARA_HOME.*cannot be made: .*(ENOTDIR|EEXIST)/],
  ["in the place of a file", "file", /JARA_HOME.*cannot be made: .*EEXIST/],
  ["where nothing can be made", "/proc/jara/home", /JARA_HOME.*cannot be made: .*ENOENT/],
])("a home %s is named at once", (_, place, sentence) => {
  writeFileSync(join(home, "file"), "");
  expect(() => openHome(resolve(home, place))).toThrow(sentence);
});

it("a file in the place of a home is named at once, in words", () => {
  writeFileSync(join(home, "file"), "");
  expect(() => openHome(join(home, "file"))).toThrow(/: a file of that name is in its place\. Move the file, or name/);
});

it.each([
  ["ENOSPC", "the disk is full. Make room, or name a folder on another disk (ENOSPC)."],
  ["EROFS", "its file system is read-only. Name another folder (EROFS)."],
  ["EACCES", "this user may not do that. Change its rights, or name another folder (EACCES)."],
  ["EWEIRD", "EWEIRD: strange"],
])("%s is told with what to do about it", (code, sentence) => {
  expect(reasonOf(Object.assign(new Error(`${code}: strange`), { code }))).toBe(sentence);
});

it("opening a home leaves nothing in it", () => {
  openHome(join(home, "fresh"));
  expect(readdirSync(join(home, "fresh"))).toEqual([]);
});

it("a home several folders deep is made, by two at once too", () => {
  openHome(join(home, "a", "b", "c"));
  openHome(join(home, "a", "b", "c"));
  expect(statSync(join(home, "a", "b", "c")).isDirectory()).toBe(true);
});
