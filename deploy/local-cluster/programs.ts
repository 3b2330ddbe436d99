/** The programs that a cluster is made of, where Debian has put them, and how to get the missing ones. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Account, findLodging } from "../../server/src/platform/embedded-postgres/account.ts";
import { binariesIn, findBinaries } from "../../server/src/platform/embedded-postgres/binaries.ts";
import { installPackages, mayInstallPackages } from "../../tools/debian-packages.ts";
import type { PostgresChoice } from "./layout.ts";

/** The package of each; the embedded PostgreSQL has none. */
const packages = {
  etcd: "etcd-server",
  patroni: "patroni",
  haproxy: "haproxy",
  pgbouncer: "pgbouncer",
  prometheus: "prometheus",
} as const;

type Program = keyof typeof packages;

/** Daemons lie where an ordinary user's path does not lead. */
const places = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"];

function findProgram(name: Program, path = process.env["PATH"] ?? ""): string | undefined {
  return [...path.split(delimiter), ...places].map((folder) => join(folder, name)).find((file) => existsSync(file));
}

type Find = (name: Program) => string | undefined;

function missingIn(find: Find): readonly [string, string][] {
  return Object.entries(packages).filter(([name]) => find(name as Program) === undefined);
}

/** The words that mend it, or undefined when nothing is missing. */
export function missingPrograms(find: Find = findProgram): string | undefined {
  const missing = missingIn(find);
  if (missing.length === 0) return undefined;
  const names = missing.map(([name]) => name).join(", ");
  const wanted = missing.map(([, name]) => name).join(" ");
  return `Not on this machine: ${names}. Run: apt-get install --no-install-recommends ${wanted}`;
}

/** Gets what is missing from Debian; returns why something still is. */
export function installPrograms(
  variables: Readonly<Record<string, string | undefined>> = process.env,
  find: Find = findProgram,
  install = installPackages,
): string | undefined {
  const missing = missingIn(find);
  if (missing.length === 0) return undefined;
  if (!mayInstallPackages(variables)) return missingPrograms(find);
  return install(missing.map(([, name]) => name)) ?? missingPrograms(find);
}

export function requireProgram(name: Program): string {
  const found = findProgram(name);
  if (found === undefined) throw new Error(`${name} is missing. Run: apt-get install ${packages[name]}`);
  return found;
}

export interface PostgresHome {
  /** The folder of initdb, pg_ctl and postgres. */
  readonly bin: string;
  /** As whom PostgreSQL runs, and Patroni with it: never root. */
  readonly account: Account;
}

/** Which PostgreSQL, and as whom, in a folder that exists. */
export function findPostgres(choice: PostgresChoice, folder: string): PostgresHome {
  const binaries = choice === "embedded" ? findBinaries() : binariesIn(join(choice, ".."));
  if (!existsSync(binaries.postgres)) throw new Error(`There is no PostgreSQL in ${choice}.`);
  const lodging = findLodging(folder, binaries);
  if (lodging.folder !== folder) {
    throw new Error(`Only root can enter ${folder}. Choose a folder that others can enter, such as one under /tmp.`);
  }
  return { bin: join(binaries.native, "bin"), account: lodging.account };
}
