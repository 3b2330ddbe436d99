/**
 * The log of changes, copied to a folder that outlives this machine's disk: with a base backup beside it, every moment
 * since that backup can be restored. PostgreSQL hands over each finished segment, and at the latest one a minute.
 */
import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync } from "node:fs";
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
 * Compressed: a segment that had to go after a minute is mostly empty and has 16 MiB all the same.
 * A segment that is there already must be the same one: PostgreSQL may hand one over twice after a crash.
 */
function archiveCommand(place: string): string {
  const kept = `'${place}/%f.gz'`;
  const copied = `'${place}/.%f.part'`;
  const copy = `gzip -1 -c '%p' > ${copied} && sync ${copied} && mv ${copied} ${kept} && sync '${place}'`;
  return `if [ -f ${kept} ]; then gzip -dc ${kept} | cmp -s - '%p'; else ${copy}; fi`;
}

/** How PostgreSQL gets a segment back. */
export function restoreCommand(folder: string): string {
  refuseOddName(folder);
  return `gzip -dc "${segmentsIn(folder)}/%f.gz" > "%p"`;
}

/** The name goes into a shell's command, in which PostgreSQL replaces what follows a per cent sign. */
function refuseOddName(folder: string): void {
  if (!/['"$`%\n\\]/.test(folder)) return;
  throw new Error(
    `The folder of backups must not have quotes, dollar or per cent signs, or backslashes in its name: ${folder}`,
  );
}
