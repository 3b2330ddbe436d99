/**
 * The log of changes, copied to a folder that outlives this machine's disk: with a base backup beside it, every moment
 * since that backup can be restored. PostgreSQL hands over each finished segment, and at the latest one a minute.
 */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identityOf, type Lodging, programEnvironment } from "./account.ts";

/** At most this much is lost when the machine is gone, disk and all. */
const longestGapSeconds = 60;

/** Where segments lie in a folder of backups. */
export const segmentsIn = (folder: string): string => join(folder, "wal");

/** Makes the place, and refuses one that PostgreSQL's account cannot write to: it would complain in its own log only. */
export function openArchive(folder: string, { account }: Lodging): Readonly<Record<string, string>> {
  const place = segmentsIn(folder);
  refuseOddName(place);
  mkdirSync(place, { recursive: true });
  if (process.getuid?.() === 0) chownSync(place, account.uid, account.gid);
  const [command = "sh", ...rest] = [...account.prefix, "sh", "-c", 'test -w "$1"', "sh", place];
  const tried = spawnSync(command, rest, { ...identityOf(account), cwd: "/", env: programEnvironment });
  if (tried.status !== 0) {
    throw new Error(
      `PostgreSQL runs as ${account.name} here and cannot write to ${place} (JARA_BACKUP_FOLDER). Name a folder that it can enter and write to.`,
    );
  }
  return {
    archive_mode: "on",
    archive_command: archiveCommand(place),
    archive_timeout: String(longestGapSeconds),
  };
}

/**
 * PostgreSQL writes the history of a new time line when a restore ends, and hands it over only if it archives at that
 * time. Without it nobody would find the segments that come after the restore.
 */
export function handOverHistories(data: string): void {
  const [log, state] = [join(data, "pg_wal"), join(data, "pg_wal", "archive_status")];
  if (!existsSync(state)) return;
  for (const name of readdirSync(log).filter((each) => each.endsWith(".history"))) {
    if (!existsSync(join(state, `${name}.done`))) writeFileSync(join(state, `${name}.ready`), "");
  }
}

/**
 * Compressed: a segment that had to go after a minute is mostly empty and has 16 MiB all the same.
 * A segment that is there already must be the same one: PostgreSQL may hand one over twice after a crash.
 */
function archiveCommand(place: string): string {
  const kept = `'${place}/%f.gz'`;
  const copied = `'${place}/.%f.part'`;
  const copy = `gzip -1 -c '%p' > ${copied} && sync ${copied} && mv ${copied} ${kept} && sync '${place}'`;
  return `if [ -f ${kept} ]; then gzip -dc ${kept} | cmp -s - '%p'; else ${copy}; fi`;
}

/**
 * How PostgreSQL gets a segment back. It takes an ordinary failure for the end of the log, and opens a database that
 * lacks all that came later; at an exit code above 125 it stops. Towards a moment it needs no such stop: it refuses a
 * log that ends before, and may look at a segment that comes after.
 */
export function restoreCommand(folder: string, stopAtDamage: boolean): string {
  refuseOddName(folder);
  const kept = `"${segmentsIn(folder)}/%f.gz"`;
  return `if [ -f ${kept} ]; then gzip -dc ${kept} > "%p"${stopAtDamage ? " || exit 126" : ""}; else exit 1; fi`;
}

/** The name goes into a shell's command, in which PostgreSQL replaces what follows a per cent sign. */
function refuseOddName(folder: string): void {
  if (!/['"$`%\n\\]/.test(folder)) return;
  throw new Error(
    `The folder of backups must not have quotes, dollar or per cent signs, or backslashes in its name: ${folder}`,
  );
}
