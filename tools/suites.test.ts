import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { chooseSuite, chosenBy } from "./suites.mjs";

const root = mkdtempSync(join(tmpdir(), "jara-suites-"));
afterAll(() => rmSync(root, { recursive: true }));
for (const file of [
  "tests/browser/shop.test.ts",
  "tests/volume/full-tables.campaign.ts",
  "tests/browser/walk.ts",
  "server/src/money/money.test.ts",
]) {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), "");
}

const besideTheCode = ["--project=!product", "--project=!campaign"];

describe("the tests beside the code are meant", () => {
  test.each([
    [[]],
    [["server/src/money"]],
    [["-t", "a second cancel is refused"]],
    [["--reporter=verbose", "server/src/money/money.test.ts:12"]],
    // No test, so it names none.
    [["tests/browser/walk.ts"]],
  ])("by %j", (words) => {
    expect(chooseSuite(root, words)).toEqual([...besideTheCode, ...words]);
  });
});

describe("a caller who names tests of the product gets them", () => {
  test.each([
    [["tests/browser/shop.test.ts"]],
    [["tests/volume/full-tables.campaign.ts"]],
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
  expect(chooseSuite(join(root, "server"), ["shop"])).toEqual([...besideTheCode, "shop"]);
});

describe("a change concerns", () => {
  const everything = "--project=!campaign";

  test.each([
    ["pages and the browser", ["web/console/home.tsx"], ["web/", "tests/browser/"]],
    ["the documentation's own pages", ["web/site/pages.ts"], ["web/site", "web/docs", "tests/browser/docs"]],
    ["the command", ["cli/src/main.ts"], ["cli/", "tests/cli/"]],
    [
      "the client and the command that stands on it",
      ["sdk/src/index.ts"],
      ["sdk/", "tests/sdk/", "cli/", "tests/cli/"],
    ],
    ["documents and their examples", ["docs/guides/loans.md", "README.md"], ["tests/document/", "tests/e2e/examples"]],
    ["its own folder of tests", ["tests/cli/trace.test.ts"], ["tests/cli/"]],
    ["two of these", ["cli/src/main.ts", "bench/main.ts"], ["cli/", "bench/"]],
  ])("%s", (_, files, expected) => {
    const chosen = chosenBy(files);
    expect(chosen).toEqual(expect.arrayContaining([everything, ...expected]));
    expect(chosen.some((word) => word.startsWith("server"))).toBe(false);
  });

  test.each([
    [["server/src/start/app.ts"]],
    [["web/console/home.tsx", "server/src/money/kobo.ts"]],
    [["package-lock.json"]],
    [["server/migrations/0001-tenancy.sql"]],
    [["tools/bootstrap.mjs"]],
    [["a-new-folder/main.ts"]],
  ])("everything: %j", (files) => {
    expect(chosenBy(files)).toEqual([everything]);
  });

  test("nothing when nothing was changed", () => {
    expect(chosenBy([])).toContain("--passWithNoTests");
  });
});
