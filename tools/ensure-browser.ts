/**
 * A Chromium for the tests in tests/browser, from the first of these places that has one: the path in CHROMIUM, the
 * machine, Debian's package (in CI, as root), npm's @sparticuz/chromium. The last is fetched only when it is needed and
 * is not a dependency: it weighs 70 MB, and most people have a browser.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installPackages, mayInstallPackages } from "./debian-packages.ts";
import { fetchedBrowser, hasFetchableBuild } from "./fetch-browser.ts";

export interface InstalledBrowser {
  readonly path: string;
  readonly version: string;
  /** What its process needs beyond the environment of ours. */
  readonly environment: Readonly<Record<string, string>>;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Chromium without its windows, tabs and menus: the same pages for half of the processor's time. */
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const macApplications = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

const howToGetOne = "Install Chromium or Google Chrome, or set CHROMIUM to the path of one.";

export class NoBrowserError extends Error {
  override readonly name = "NoBrowserError";
}

/** Throws a NoBrowserError that says what to do when there is no browser and none can be had. */
export async function ensureBrowser(variables: Variables = process.env): Promise<InstalledBrowser> {
  const found = findBrowser(variables) ?? installPackage(variables);
  if (found !== undefined) return found;
  if (!hasFetchableBuild()) {
    const machine = `${process.platform} on ${process.arch}`;
    throw new NoBrowserError(`This machine has no browser, and npm has none for ${machine}. ${howToGetOne}`);
  }
  return fetchOne();
}

/** The browser that CHROMIUM names, or the first that works of those that the machine has. */
export function findBrowser(
  variables: Variables,
  applications: readonly string[] = macApplications,
): InstalledBrowser | undefined {
  const named = variables["CHROMIUM"];
  if (named !== undefined && named !== "") {
    const browser = tryBrowser(named);
    if (browser === undefined)
      throw new NoBrowserError(`CHROMIUM is ${named}, which is not a browser that can be run.`);
    return browser;
  }
  const folders = (variables["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const places = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...applications];
  for (const place of places) {
    const browser = tryBrowser(place);
    if (browser !== undefined) return browser;
  }
  return undefined;
}

/** Some systems have a program of this name that only tells where to get one, so each is asked for its version. */
function tryBrowser(path: string, environment: InstalledBrowser["environment"] = {}): InstalledBrowser | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const env = { ...process.env, ...environment };
    const said = execFileSync(path, ["--version"], { encoding: "utf8", env, stdio: "pipe", timeout: 30_000 });
    const version = /\d+(\.\d+)+/.exec(said)?.[0];
    return version === undefined ? undefined : { path, version, environment };
  } catch {
    return undefined;
  }
}

function installPackage(variables: Variables): InstalledBrowser | undefined {
  if (!mayInstallPackages(variables)) return undefined;
  install("chromium");
  return findBrowser(variables);
}

function install(name: string): void {
  const reason = installPackages([name]);
  if (reason !== undefined) console.error(reason);
}

/** CI's machine gets the quick one too, once and before the tests begin; where it cannot be had, the other serves. */
function addShell(found: InstalledBrowser, variables: Variables): InstalledBrowser {
  const isChosen = (variables["CHROMIUM"] ?? "") !== "";
  if (isChosen || found.path !== "/usr/bin/chromium" || !mayInstallPackages(variables)) return found;
  install(shell);
  return findBrowser(variables) ?? found;
}

async function fetchOne(): Promise<InstalledBrowser> {
  let fetched: { path: string; environment: Record<string, string> };
  try {
    fetched = await fetchedBrowser();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NoBrowserError(`No browser could be fetched from npm: ${reason}. ${howToGetOne}`, { cause });
  }
  const browser = tryBrowser(fetched.path, fetched.environment);
  if (browser === undefined) throw new NoBrowserError(`${fetched.path} does not run here. ${howToGetOne}`);
  return browser;
}

if (import.meta.main) {
  try {
    const { path, version } = addShell(await ensureBrowser(), process.env);
    console.log(`Chromium ${version} at ${path}`);
  } catch (error) {
    if (!(error instanceof NoBrowserError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
