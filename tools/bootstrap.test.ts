/** The way in from a fresh clone, with an npm that only pretends. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const project = join(import.meta.dirname, "..");
const root = mkdtempSync(join(tmpdir(), "jara-bootstrap-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Takes its time with taking everything back, as npm does. */
const slowNpm = `
  process.on("SIGINT", () => setTimeout(() => process.exit(1), 300));
  setInterval(() => undefined, 1000);
  require("node:fs").writeFileSync(require("node:path").join(__dirname, "npm-runs"), "");
`;

for (const file of [
  "tools/bootstrap.mjs",
  "tools/install-progress.mjs",
  "tools/server-bundle.mjs",
  "tools/suites.mjs",
  "web/build-stamp.mjs",
  "package-lock.json",
]) {
  mkdirSync(join(root, file, ".."), { recursive: true });
  copyFileSync(join(project, file), join(root, file));
}

test("Ctrl-C while packages are installed says what it waits for", async () => {
  writeFileSync(join(root, "npm.js"), slowNpm);
  const child = spawn(process.execPath, [join(root, "tools", "bootstrap.mjs"), "start"], {
    env: { ...process.env, npm_execpath: join(root, "npm.js") },
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await expect.poll(() => existsSync(join(root, "npm-runs"))).toBe(true);
  child.kill("SIGINT");
  const [, signal] = await once(child, "close");
  expect(signal).toBe("SIGINT");
  expect(said).toContain("Stopping. npm takes back what it has unpacked");
});

/** Writes down what it was asked for, and fails. */
const failingNpm = `
  const { join } = require("node:path");
  require("node:fs").writeFileSync(join(__dirname, "npm-words"), process.argv.slice(2, 4).join(" "));
  process.exit(1);
`;

function askedOfNpm(...words: string[]): string {
  const npm = join(root, "failing-npm.js");
  writeFileSync(npm, failingNpm);
  rmSync(join(root, "npm-words"), { force: true });
  const env = { ...process.env, npm_execpath: npm };
  const { status, stderr } = spawnSync(process.execPath, [join(root, "tools", "bootstrap.mjs"), ...words], { env });
  expect(status).toBe(1);
  expect(stderr.toString()).toContain("Its messages are above.");
  return readFileSync(join(root, "npm-words"), "utf8");
}

test("a start installs what running needs, and tests install their tools as well", () => {
  expect(askedOfNpm("start")).toBe("ci --omit=dev");
  expect(askedOfNpm("run", "server/src/programs/verify-ledger.ts")).toBe("ci --omit=dev");
  expect(askedOfNpm("test")).toBe("ci --no-audit");
  expect(askedOfNpm("run", "tools/check/run.ts")).toBe("ci --no-audit");
});

test("tools are added to what is there, and stay when packages change", () => {
  mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
  for (const file of [".bin/node", ".package-lock.json"]) writeFileSync(join(root, "node_modules", file), "");
  expect(askedOfNpm("test")).toBe("install --no-save");
  mkdirSync(join(root, "node_modules", "knip"));
  writeFileSync(join(root, "node_modules", "knip", "package.json"), "{}");
  copyFileSync(join(project, "package-lock.json"), join(root, "package-lock.json"));
  rmSync(join(root, "node_modules", ".package-lock.json"));
  expect(askedOfNpm("start")).toBe("ci --no-audit");
});
