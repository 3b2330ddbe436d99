/**
 * PostgreSQL refuses to run as root, so a root user's server runs it as somebody else who can reach both the
 * programs and the data. In order of preference:
 *
 *   nobody              when no folder on the way is closed to others
 *   the owner           of the folder on the way that is not root's, such as a clone in a closed home of a user
 *   a user namespace    in which root is called nobody: reaches what root owns, such as a clone under /root
 *   another place       under /var/lib/jara, with a copy of the programs, where namespaces are forbidden too
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { type Binaries, binariesIn } from "./binaries.ts";

/** How to start a program so that PostgreSQL accepts its user. */
export interface Account {
  readonly name: "own" | "nobody" | "owner" | "namespace";
  readonly prefix: readonly string[];
  /** Whom the files must belong to, and whom the process becomes unless a prefix does that. */
  readonly uid: number;
  readonly gid: number;
}

export interface Lodging {
  readonly account: Account;
  readonly binaries: Binaries;
  readonly folder: string;
}

const nobodyId = 65_534;
const reachablePlace = "/var/lib/jara";
const nobody: Account = { name: "nobody", prefix: [], uid: nobodyId, gid: nobodyId };
// initdb asks for its user's name, and nobody is the one that every machine knows.
const namespaced: Account = {
  name: "namespace",
  prefix: ["unshare", "--user", `--map-user=${nobodyId}`, `--map-group=${nobodyId}`],
  uid: 0,
  gid: 0,
};

/** A fixed environment: what the caller has set (PGDATA, PGOPTIONS, a locale) must not change the cluster. */
export const programEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
} as const;

/** The spawn options of an account. */
export function identityOf(account: Account): { uid?: number; gid?: number } {
  const changes = account.name === "nobody" || account.name === "owner";
  return changes ? { uid: account.uid, gid: account.gid } : {};
}

/** Decides where and as whom PostgreSQL runs, and hands the folder over to that account. */
export function findLodging(folder: string, binaries: Binaries): Lodging {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  if (uid !== 0 || process.platform === "win32") {
    refuseForeignFolder(folder, uid);
    return {
      account: hasName() ? { name: "own", prefix: [], uid, gid } : { ...namespaced, uid, gid },
      binaries,
      folder,
    };
  }
  // Data that once had to go elsewhere stays there, even if the folder can be reached by now.
  if (existsSync(join(placeElsewhere(folder), "data"))) return moveToReachablePlace(folder, binaries);
  for (const account of [nobody, ...ownersAbove(folder), namespaced]) {
    chownSync(folder, account.uid, account.gid);
    if (canLive(account, binaries, folder)) return handOver({ account, binaries, folder });
  }
  chownSync(folder, 0, 0);
  return moveToReachablePlace(folder, binaries);
}

/** Where a folder's data goes when only root can enter the folder. */
export function placeElsewhere(folder: string, root = reachablePlace): string {
  return join(root, createHash("sha256").update(folder).digest("hex").slice(0, 16));
}

export function moveToReachablePlace(folder: string, binaries: Binaries, root = reachablePlace): Lodging {
  if (existsSync(join(folder, "data"))) throw new Error(unreachable(folder));
  const place = placeElsewhere(folder, root);
  mkdirSync(place, { recursive: true, mode: 0o755 });
  const copy = join(place, "programs");
  if (!existsSync(copy)) {
    const unfinished = `${copy}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(binaries.native, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  const lodging = { account: nobody, binaries: binariesIn(copy), folder: place };
  chownSync(place, nobodyId, nobodyId);
  if (canLive(nobody, lodging.binaries, place)) return handOver(lodging);
  throw new Error(unreachable(folder));
}

function unreachable(folder: string): string {
  return [
    `PostgreSQL does not run as root, and no other user can reach ${folder}.`,
    "Start Jara as an ordinary user, or move the clone and JARA_HOME to a folder that others can enter.",
  ].join(" ");
}

/** A container may run under a bare number, for which initdb finds no name and gives up. */
function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

function refuseForeignFolder(folder: string, uid: number): void {
  const data = join(folder, "data");
  const owner = statSync(existsSync(data) ? data : folder).uid;
  if (owner === uid || process.platform === "win32") return;
  throw new Error(
    `The data in ${folder} belongs to another user (id ${owner}), probably because Jara was started as root before. Start it as that user again, or set JARA_HOME to another folder.`,
  );
}

function ownersAbove(folder: string): Account[] {
  for (let path = dirname(folder); path !== dirname(path); path = dirname(path)) {
    const { uid, gid } = statSync(path);
    if (uid !== 0 && uid !== nobodyId) return [{ name: "owner", prefix: [], uid, gid }];
  }
  return [];
}

/** Tries it, because file modes alone do not tell: access lists, mounts and security modules have their say. */
function canLive(account: Account, binaries: Binaries, folder: string): boolean {
  const [command = "sh", ...rest] = [...account.prefix, "sh", "-c", 'cd "$1" && test -w . && "$2" --version', "sh"];
  const tried = spawnSync(command, [...rest, folder, binaries.postgres], {
    ...identityOf(account),
    cwd: "/",
    env: programEnvironment,
    encoding: "utf8",
  });
  // PostgreSQL complains on the error channel when it cannot find its own files, and still exits with 0.
  return tried.status === 0 && tried.stderr === "";
}

/** A cluster that ran under another account before changes hands as a whole. */
function handOver(lodging: Lodging): Lodging {
  const { account, folder } = lodging;
  for (const name of ["data", "password"]) {
    const path = join(folder, name);
    if (existsSync(path) && statSync(path).uid !== account.uid) changeOwner(path, account);
  }
  return lodging;
}

function changeOwner(path: string, account: Account): void {
  const below = lstatSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
  // The folder itself comes last: if this is cut short, the next start sees the old owner and does it again.
  for (const name of below) chownSync(join(path, name), account.uid, account.gid);
  chownSync(path, account.uid, account.gid);
}
