/** The way in from a fresh clone, with an npm that only pretends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

test("Ctrl-C while packages are installed says what it waits for", async () => {
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
