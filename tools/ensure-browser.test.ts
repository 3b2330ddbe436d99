import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ensureBrowser, findBrowser } from "./ensure-browser.ts";
import { hasFetchableBuild } from "./fetch-browser.ts";

const home = mkdtempSync(join(tmpdir(), "jara-browsers-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A folder with a program that answers as it is told, and the program's path. */
function install(name: string, script: string): { folder: string; path: string } {
  const folder = mkdtempSync(join(home, "bin-"));
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { folder, path };
}

const chrome = install("google-chrome", "echo Google Chrome 150.0.1.2");
const chromium = install("chromium", "echo Chromium 151.0.3.4 built on a test");
const shell = install("chromium-headless-shell", "echo Chromium 151.0.3.4");
const signpost = install("chromium-browser", "echo install the snap >&2; exit 1");
const pathOf = (...places: { folder: string }[]) => places.map(({ folder }) => folder).join(delimiter);

describe("a browser is found", () => {
  test("the one without windows first, wherever it stands", () => {
    expect(findBrowser({ PATH: pathOf(chrome, chromium, shell) })).toMatchObject({ path: shell.path });
  });

  test("under the names it goes by, Chromium before Chrome", () => {
    expect(findBrowser({ PATH: pathOf(chrome) })).toMatchObject({ path: chrome.path, version: "150.0.1.2" });
    expect(findBrowser({ PATH: pathOf(chrome, chromium) })).toMatchObject({ path: chromium.path });
  });

  test("among the applications of a Mac", () => {
    expect(findBrowser({ PATH: home }, [chrome.path])).toMatchObject({ path: chrome.path });
  });

  test("although a program of such a name only says where to get one", () => {
    expect(findBrowser({ PATH: pathOf(signpost, chrome) })).toMatchObject({ path: chrome.path });
  });

  test("where CHROMIUM says, whatever else there is", () => {
    expect(findBrowser({ PATH: pathOf(chromium), CHROMIUM: chrome.path })).toMatchObject({ path: chrome.path });
  });
});

test("a machine without one has none", () => {
  expect(findBrowser({ PATH: home }, [])).toBeUndefined();
  expect(findBrowser({}, [])).toBeUndefined();
});

test.each([
  ["nothing", join(home, "nowhere")],
  ["a program that is no browser", signpost.path],
])("CHROMIUM that names %s is refused rather than passed over", async (_name, path) => {
  await expect(ensureBrowser({ PATH: pathOf(chromium), CHROMIUM: path })).rejects.toThrow(`CHROMIUM is ${path}`);
});

test("npm's build is asked for only where it can run", () => {
  expect(hasFetchableBuild("linux", "x64")).toBe(true);
  expect(hasFetchableBuild("linux", "arm64")).toBe(false);
  expect(hasFetchableBuild("darwin", "x64")).toBe(false);
});
