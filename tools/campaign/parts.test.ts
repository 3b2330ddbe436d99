/** No test is lost between the checks of every change and the campaign, and none is run by two parts of it. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stages } from "../check/steps.ts";
import { parts } from "./parts.ts";

const root = join(import.meta.dirname, "..", "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const commands = parts.map(({ command }) => command);
const folders = commands.flatMap((command) => command.filter((word) => /^tests\/[a-z0-9]+\/$/.test(word)));
const files = globSync("tests/**/*.ts", { cwd: root });

describe("every file in tests/", () => {
  const campaign = files.filter((file) => file.endsWith(".campaign.ts"));

  test.each(campaign)("%s belongs to one part of the campaign", (file) => {
    expect(folders.filter((folder) => file.startsWith(folder))).toHaveLength(1);
  });

  test("that tests something says by its name when it runs", () => {
    const tests = files.filter((file) => /^\s*(describe|test|it|describeInBrowser)[.(]/m.test(sourceOf(file)));
    const neither = tests.filter((file) => !/\.(test|campaign)\.ts$/.test(file));
    // These make tests for the files that call them.
    expect(neither).toEqual(["tests/browser/in-browser.ts"]);
  });

  test("that is a program of its own is called by a script that some list plays", () => {
    const programs = files.filter((file) => /\/run(-[a-z]+)?\.ts$/.test(file));
    const played = [...commands, ...stages.flat(2).map(({ command }) => command)].flat();
    const reached = Object.entries(scripts).filter(([name]) => played.includes(name) || name === byHand);
    for (const program of programs) expect(reached.map(([, script]) => script).join("\n")).toContain(program);
  });
});

/** It asks real providers and needs their keys. */
const byHand = "test:remote";

test("a folder that a part names has tests for it", () => {
  for (const folder of folders) {
    expect(existsSync(join(root, folder)), folder).toBe(true);
    expect(
      files.some((file) => file.startsWith(folder) && file.endsWith(".campaign.ts")),
      folder,
    ).toBe(true);
  }
});

test("parts have names of their own", () => {
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
});

function sourceOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
