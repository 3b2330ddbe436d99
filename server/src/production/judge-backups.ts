/** Whether there is something to restore from, and how old it is. */
import { type LogHoles, tellProblems } from "../platform/backups/change-log.ts";
import { type Finding, good, look, missing } from "./finding.ts";

export interface BackupFacts {
  /** Undefined when JARA_BACKUP_FOLDER is not set. */
  readonly folder: string | undefined;
  readonly newest: Date | undefined;
  /** Those that cannot be restored, each with the reason. */
  readonly damaged: readonly string[];
  /** What is missing or cut in the log of changes. */
  readonly holes: LogHoles;
  readonly archives: boolean;
  readonly archiveFails: boolean;
  readonly now: Date;
}

const mostHours = 26;

export function judgeBackups({ folder, newest, damaged, holes, ...facts }: BackupFacts): Finding[] {
  const { archives, archiveFails, now } = facts;
  return [
    judgeNewest(folder, newest, now),
    ...judgeDamaged(damaged),
    judgeArchive(archives, archiveFails),
    ...judgeHoles(holes),
  ];
}

function judgeHoles({ problems, sinceNewest }: LogHoles): Finding[] {
  if (problems.length === 0) return [];
  const says = `The log of changes is not whole: ${tellProblems(problems)}`;
  return sinceNewest
    ? [missing("log", `${says} What came after the newest backup cannot be restored.`, "Run npm run backup now.")]
    : [look("log", `${says} Some moments before the newest backup cannot be restored.`, "Look at the folder's disk.")];
}

function judgeDamaged(damaged: readonly string[]): Finding[] {
  if (damaged.length === 0) return [];
  const cure = "Nothing deletes them: mend backup.json or take the folder away, and look at the disk.";
  return [look("damaged backups", `These cannot be restored: ${damaged.join(", ")}.`, cure)];
}

function judgeNewest(folder: string | undefined, newest: Date | undefined, now: Date): Finding {
  if (folder === undefined) {
    return look(
      "backup",
      "JARA_BACKUP_FOLDER is not set, so nobody can tell here whether there are backups.",
      "Set it and run npm run backup every night, or use pgBackRest, barman or your provider's own.",
    );
  }
  const cure = "npm run backup -- --keep 14, every night.";
  if (newest === undefined) return missing("backup", `There is no backup in ${folder}.`, cure);
  const hours = Math.floor((now.getTime() - newest.getTime()) / 3_600_000);
  if (hours > mostHours) return missing("backup", `The newest backup is ${hours} hours old.`, cure);
  return good("backup", hours < 1 ? "less than an hour old" : `${hours} hours old`);
}

function judgeArchive(archives: boolean, archiveFails: boolean): Finding {
  if (!archives) {
    return missing(
      "archive",
      "PostgreSQL archives no log of changes: what came after the last backup could not be restored.",
      "Set archive_mode and archive_command; the runbook shows them.",
    );
  }
  if (archiveFails) {
    return missing("archive", "The last try to archive failed.", "Look at pg_stat_archiver and PostgreSQL's log.");
  }
  return good("archive", "every change is archived");
}
