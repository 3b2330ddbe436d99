import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeInstall, showInstall, wantedPlaces } from "./install-progress.mjs";

const root = mkdtempSync(join(tmpdir(), "jara-install-"));
afterAll(() => rmSync(root, { recursive: true }));
const project = join(import.meta.dirname, "..");

test("every package that is counted is there after an install", () => {
  const places = wantedPlaces(project, true);
  expect(places.length).toBeGreaterThan(100);
  expect(places.filter((place) => !existsSync(join(project, place, "package.json")))).toEqual([]);
});

test("without the tools, those of the tests are not counted", () => {
  const places = wantedPlaces(project, false);
  expect(places).toContain("node_modules/fastify");
  expect(places).not.toContain("node_modules/knip");
});

test("the line says how many packages of how many", () => {
  expect(describeInstall(0, 4, 0)).toBe("  [........................] 0 of 4 packages (0 s)");
  expect(describeInstall(2, 4, 9)).toBe("  [############............] 2 of 4 packages (9 s)");
});

test.each([80, 79, 60, 40, 20])("on %d columns the line is never broken", (columns) => {
  for (const there of [0, 268, 269]) expect(describeInstall(there, 269, 1_234, columns).length).toBeLessThan(columns);
});

test("on 80 columns the bar stays to the end", () => {
  expect(describeInstall(269, 269, 1_234, 80)).toMatch(/^ {2}\[#{24}\] 269 of 269/);
});

test("on a terminal one line moves and is gone at the end", async () => {
  const other = process.platform === "linux" ? "darwin" : "linux";
  const packages = {
    "": {},
    "node_modules/a": {},
    "node_modules/b": { os: process.platform },
    "node_modules/c": { os: [other] },
    "node_modules/d": { os: other },
    "node_modules/e": { dev: true },
  };
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
  mkdirSync(join(root, "node_modules", "a"), { recursive: true });
  writeFileSync(join(root, "node_modules", "a", "package.json"), "{}");
  const { promise: shown, resolve } = Promise.withResolvers<string>();
  const written: string[] = [];
  const write = (text: string) => {
    written.push(text);
    resolve(text);
  };
  const stop = showInstall(root, false, { isTTY: true, write });
  expect(await shown).toMatch(/^\r {2}\[#{12}\.{12}\] 1 of 2 packages/);
  stop();
  expect(written.at(-1)).toMatch(/^\r +\r$/);
});
