/**
 * How far an install has come, for the person who waits: of the packages that the lock file names for this machine, how
 * many lie unpacked in node_modules. Plain JavaScript, because it runs before anything is installed.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const barWidth = 24;
const redrawMs = 500;
const linesMs = 10_000;

/**
 * Shows it until the function that is returned is called: one line that moves on a terminal, else a line now and then.
 *
 * @param {string} root
 * @param {boolean} withTools
 * @param {{ isTTY?: boolean, columns?: number, write(text: string): unknown }} screen
 */
export function showInstall(root, withTools, screen = process.stdout) {
  const places = wantedPlaces(root, withTools);
  const started = Date.now();
  let longest = 0;
  const tick = () => {
    const there = countInstalled(root, places);
    const seconds = Math.round((Date.now() - started) / 1000);
    const line = describeInstall(there, places.length, seconds, screen.isTTY ? screen.columns : undefined);
    longest = Math.max(longest, line.length);
    screen.write(screen.isTTY ? `\r${line.padEnd(longest)}` : `${line}\n`);
  };
  const timer = setInterval(tick, screen.isTTY ? redrawMs : linesMs);
  return () => {
    clearInterval(timer);
    if (screen.isTTY) screen.write(`\r${" ".repeat(longest)}\r`);
    longest = 0;
  };
}

/**
 * A line that is wider than the terminal would be broken in two, and only its end written over: it is kept shorter.
 *
 * @param {number} there
 * @param {number} wanted
 * @param {number} seconds
 * @param {number} columns
 */
export function describeInstall(there, wanted, seconds, columns = 80) {
  const full = Math.floor((barWidth * there) / Math.max(wanted, 1));
  const bar = "#".repeat(full) + ".".repeat(barWidth - full);
  const words = `${there} of ${wanted} packages (${seconds} s)`;
  const line = `  [${bar}] ${words}`;
  return line.length < columns ? line : words.slice(0, Math.max(columns - 1, 0));
}

/**
 * Where packages of this machine belong; those for other systems are in the lock file too.
 *
 * @param {string} root
 * @param {boolean} withTools
 */
export function wantedPlaces(root, withTools) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([place, entry]) => place.startsWith("node_modules/") && entry.link !== true && fits(entry))
    .filter(([, entry]) => withTools || entry.dev !== true)
    .map(([place]) => place);
}

/**
 * What is optional and meant for no system in particular belongs to a package for another system.
 *
 * @param {{ os?: string | string[], cpu?: string | string[], libc?: string[], optional?: boolean }} entry
 */
function fits({ os, cpu, libc, optional }) {
  if (optional === true && os === undefined && cpu === undefined) return false;
  if (libc !== undefined && !libc.includes("glibc")) return false;
  return allows(os, process.platform) && allows(cpu, process.arch);
}

/**
 * A list names what is meant, or with ! what is not. Some packages have a single name in its place.
 *
 * @param {string | string[] | undefined} names
 * @param {string} own
 */
function allows(names, own) {
  if (names === undefined) return true;
  const list = [names].flat();
  if (list.includes(`!${own}`)) return false;
  return list.includes(own) || list.every((name) => name.startsWith("!"));
}

/**
 * @param {string} root
 * @param {readonly string[]} places
 */
function countInstalled(root, places) {
  return places.filter((place) => existsSync(join(root, place, "package.json"))).length;
}
