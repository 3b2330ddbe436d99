#!/usr/bin/env node
/**
 * Hands over to the command with a Node that reads TypeScript: this one, or the one that the clone pins. It runs on
 * whatever Node the machine has, so it is plain JavaScript without dependencies.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const main = join(dirname(dirname(fileURLToPath(import.meta.url))), "src", "main.ts");
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  // What was compiled once is read the next time: half of the time that a start takes.
  module.enableCompileCache();
  await import(main);
} else runWithPinnedNode();

function runWithPinnedNode() {
  const pinned = join(dirname(dirname(dirname(main))), "node_modules", ".bin", "node");
  if (!existsSync(pinned)) {
    console.error(
      `jara needs Node 22.18 or newer, and this is Node ${process.versions.node}. Run npm start once: it brings one.`,
    );
    process.exit(1);
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  // The terminal sends Ctrl-C to both. A signal to this process alone is passed on.
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  process.on("SIGINT", () => {});
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
}
