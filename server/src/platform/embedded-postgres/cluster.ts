/** What is made once per folder: the cluster itself, its two roles and the database. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { serverPassword } from "../database/server-login.ts";
import { identityOf, type Lodging, programEnvironment } from "./account.ts";

export function createClusterIfMissing(lodging: Lodging): void {
  const data = join(lodging.folder, "data");
  if (existsSync(join(data, "PG_VERSION"))) return;
  refuseLittleRoom(lodging.folder);
  const password = writePassword(lodging);
  // Made beside and renamed when complete, so that a start that was cut short leaves no half cluster.
  const unfinished = `${data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const { prefix } = lodging.account;
  const [command = "", ...rest] = [...prefix, lodging.binaries.initdb, "-D", unfinished, ...initOptions(password)];
  const made = spawnSync(command, rest, {
    ...identityOf(lodging.account),
    cwd: "/",
    env: programEnvironment,
    encoding: "utf8",
  });
  if (made.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`PostgreSQL's data folder ${data} could not be made: ${made.error?.message ?? made.stderr.trim()}`);
  }
  renameSync(unfinished, data);
}

const leastRoomBytes = 100 * 1024 * 1024;

/** A new cluster with its schema takes half of this; on less, initdb fails in a page of words. */
function refuseLittleRoom(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= leastRoomBytes) return;
  const mebibytes = Math.floor((bavail * bsize) / 1024 / 1024);
  throw new Error(
    `PostgreSQL needs 100 MiB for its data in ${folder}, and the disk has ${mebibytes} MiB left. Make room, or set JARA_HOME to a folder on another disk.`,
  );
}

function initOptions(passwordFile: string): string[] {
  return [
    "--username=jara_owner",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Text sorts the same on every machine, whatever locales it has.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
  ];
}

function writePassword(lodging: Lodging): string {
  const file = join(lodging.folder, "password");
  rmSync(file, { force: true });
  writeFileSync(file, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(file, lodging.account.uid, lodging.account.gid);
  return file;
}

export function readPassword(folder: string): string {
  const file = join(folder, "password");
  if (!existsSync(file)) throw new Error(`${file} is missing: without it the data beside it cannot be opened.`);
  return readFileSync(file, "utf8");
}

/** Safe to repeat: a start may have been cut short anywhere. */
export async function prepareRolesAndDatabase(administratorUrl: string, ownerPassword: string): Promise<void> {
  const client = new pg.Client({ connectionString: administratorUrl });
  await client.connect();
  try {
    for (const role of ["jara_app nologin", "jara_server login in role jara_app"]) {
      await client.query(
        `do $$ begin create role ${role}; exception when duplicate_object or unique_violation then null; end $$`,
      );
    }
    // Earlier versions gave it the owner's.
    await client.query(`alter role jara_server password '${serverPassword(ownerPassword)}'`);
    const found = await client.query("select from pg_database where datname = 'jara'");
    if (found.rowCount === 0) await client.query("create database jara");
  } finally {
    await client.end();
  }
}
