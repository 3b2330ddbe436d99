import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { chooseSuite } from "./suites.mjs";

const root = mkdtempSync(join(tmpdir(), "jara-suites-"));
afterAll(() => rmSync(root, { recursive: true }));
for (const file of ["tests/browser/shop.test.ts", "tests/browser/walk.ts", "server/src/money/money.test.ts"]) {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), "");
}

describe("the tests beside the code are meant", () => {
  test.each([
    [[]],
    [["server/src/money"]],
    [["-t", "a second cancel is refused"]],
    [["--reporter=verbose", "server/src/money/money.test.ts:12"]],
    // No test, so it names none.
    [["tests/browser/walk.ts"]],
  ])("by %j", (words) => {
    expect(chooseSuite(root, words)).toEqual(["--project=!product", ...words]);
  });
});

describe("a caller who names tests of the product gets them", () => {
  test.each([
    [["tests/browser/shop.test.ts"]],
    [["./tests/browser"]],
    [["tests/browser/shop.test.ts:7", "-t", "buys"]],
    [["Shop"]],
    [[join(root, "tests", "browser", "shop.test.ts")]],
    [["server/src/money", "tests/"]],
    [["--project=product"]],
    [["--project", "pages"]],
  ])("by %j", (words) => {
    expect(chooseSuite(root, words)).toEqual(words);
  });
});

test("a clone without the product's tests has none to leave in", () => {
  expect(chooseSuite(join(root, "server"), ["shop"])).toEqual(["--project=!product", "shop"]);
});
