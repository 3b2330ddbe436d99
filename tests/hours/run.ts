/**
 * `npm run test:hours -- [--at MOMENT,…] [vitest arguments]`: runs the tests of every change with all clocks shifted
 * alike (server, PostgreSQL, browser, tests), to moments at which calendars are difficult. libfaketime shifts the
 * clocks; a mount namespace loads it into every process, so that no test has to pass it on. Needs Linux and root.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackages, mayInstallPackages } from "../../tools/debian-packages.ts";

/** Lagos is one hour ahead of UTC all year. Most of the suite runs after midnight there. */
const moments: Readonly<Record<string, string>> = {
  midnight: "2026-12-09T23:50:00+01:00",
  "month-end": "2027-01-31T23:50:00+01:00",
  "leap-day": "2028-02-29T23:50:00+01:00",
  "new-year": "2026-12-31T23:50:00+01:00",
};

const library = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`;
const root = join(import.meta.dirname, "..", "..");
/** Read by the dynamic loader of every process, and by libfaketime where no variable says otherwise. */
const [loaded, settings] = ["/etc/ld.so.preload", "/etc/faketimerc"];

const [first = "", second = "", ...others] = process.argv.slice(2);
const chosen = first === "--at" ? second.split(",") : Object.keys(moments);
const words = first === "--at" ? others : process.argv.slice(2);

/** The exit code of the tests at this moment. */
function runAt(moment: string): number {
  const folder = mkdtempSync(join(tmpdir(), "jara-hours-"));
  // PostgreSQL works as another user, and loads the libraries, too.
  chmodSync(folder, 0o755);
  const waiting = join(folder, "wait-as-usual.so");
  execFileSync("gcc", ["-shared", "-fPIC", "-O", "-o", waiting, join(import.meta.dirname, "wait-as-usual.c")]);
  const ahead = Math.round((Date.parse(moment) - Date.now()) / 1_000);
  writeFileSync(join(folder, "preload"), `${waiting}\n${library}\n`);
  writeFileSync(join(folder, "settings"), `${ahead < 0 ? "" : "+"}${ahead}\n`);
  // A file can only be mounted over a file. What is made here is empty, and goes when we are done.
  const made = [loaded, settings].filter((file) => !existsSync(file));
  for (const file of made) writeFileSync(file, "");
  const suite = words.length === 0 ? ["--project=!campaign"] : words;
  const command = ["node", "tools/bootstrap.mjs", "test", ...suite];
  const script = `mount --bind "$1/preload" ${loaded} && mount --bind "$1/settings" ${settings} && shift && exec "$@"`;
  const { status } = spawnSync("unshare", ["--mount", "bash", "-c", script, "bash", folder, ...command], {
    cwd: root,
    stdio: "inherit",
  });
  for (const file of made) rmSync(file);
  rmSync(folder, { recursive: true });
  return status ?? 1;
}

const unknown = chosen.filter((name) => moments[name] === undefined);
if (unknown.length > 0) {
  console.error(`No moment is called ${unknown.join(", ")}. There are ${Object.keys(moments).join(", ")}.`);
  process.exit(1);
}
const packages = ["libfaketime", "gcc", "libc6-dev"];
const hasAll = () => existsSync(library) && spawnSync("gcc", ["--version"]).status === 0;
if (!hasAll() && mayInstallPackages(process.env)) installPackages(packages);
if (process.getuid?.() !== 0 || !hasAll()) {
  console.error(`Shifting the clocks needs Linux, root and a few packages: apt-get install ${packages.join(" ")}`);
  process.exit(1);
}
const failed = chosen.filter((name) => {
  console.log(`=== ${name}: ${moments[name]}`);
  return runAt(moments[name] ?? "") !== 0;
});
console.log(failed.length === 0 ? `All tests pass at ${chosen.join(", ")}.` : `Tests fail at ${failed.join(", ")}.`);
process.exit(failed.length === 0 ? 0 : 1);
