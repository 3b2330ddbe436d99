/**
 * Prometheus' own checker of alert rules, for a test: the path in PROMTOOL, the machine's, or, in CI on Debian, taken
 * out of Debian's package without installing it, so that no Prometheus starts there.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

const cache = join(import.meta.dirname, "..", "node_modules", ".cache", "prometheus");
const unpacked = join(cache, "usr", "bin", "promtool");

export function findPromtool(variables: Readonly<Record<string, string | undefined>>): string | undefined {
  const folders = (variables["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const places = [variables["PROMTOOL"], ...folders.map((folder) => join(folder, "promtool")), unpacked];
  const found = places.find((place) => place !== undefined && existsSync(place));
  return found ?? (variables["CI"] === "true" ? unpack() : undefined);
}

function unpack(): string | undefined {
  if (!existsSync("/usr/bin/apt-get")) return undefined;
  mkdirSync(cache, { recursive: true });
  const run = (command: string, ...words: string[]) =>
    execFileSync(command, words, { cwd: cache, stdio: ["ignore", "ignore", "inherit"], timeout: 180_000 });
  try {
    run("apt-get", "-qq", "update");
    run("apt-get", "-qq", "download", "prometheus");
    const archive = readdirSync(cache).find((name) => name.endsWith(".deb"));
    if (archive !== undefined) run("dpkg", "-x", archive, ".");
  } catch (error) {
    console.error(`Debian's prometheus could not be unpacked: ${error instanceof Error ? error.message : error}`);
  }
  return existsSync(unpacked) ? unpacked : undefined;
}
