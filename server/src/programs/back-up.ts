/**
 * `npm run backup`: a base backup of the database into JARA_BACKUP_FOLDER, or into the folder that `--to` names, while
 * the servers go on working. `--keep 7` then deletes all but the seven newest, and the log of changes that none of them
 * needs. It names what is missing in that log, and fails when the new backup's own part is not there.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findHoles, tellProblems } from "../platform/backups/change-log.ts";
import { prune, tellDamaged } from "../platform/backups/shelf.ts";
import { type BackupSource, takeBackup } from "../platform/backups/take-backup.ts";
import { startEmbeddedPostgres } from "../platform/embedded-postgres/start.ts";
import { openHome } from "../platform/secrets/home.ts";
import { type Config, readConfig } from "../start/config.ts";
import { embeddedFolder } from "../start/open-database.ts";

const standsAlone =
  "PostgreSQL archives no log of changes (archive_mode is off), so only this very moment can be restored.";

try {
  await backUp(readConfig(process.env));
} catch (error) {
  // What stops it is for a person to read: a wrong setting, a disk that is full.
  console.error(error instanceof Error ? [error, error.cause].map(sentence).join(" ").trim() : error);
  process.exitCode = 1;
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

async function backUp(config: Config): Promise<void> {
  const { folder, keep } = readWords(config);
  const { source, close } = await openSource(config, folder);
  try {
    const label = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const { folder: place, bytes, archived } = await takeBackup(source, folder, label);
    console.log(`Backup made: ${place}${bytes === 0 ? "" : ` (${Math.ceil(bytes / 1024 / 1024)} MiB)`}`);
    console.log(archived ? "Every moment from now on can be restored, too." : standsAlone);
    console.log(
      "The master key is not in it. Keep a copy of the key in another place: without it nothing can be read.",
    );
    if (keep !== undefined) tellPruned(folder, keep);
    await tellHoles(folder);
  } finally {
    await close();
  }
}

function readWords(config: Config): { readonly folder: string; readonly keep: number | undefined } {
  const { values } = parseArgs({ options: { to: { type: "string" }, keep: { type: "string" } } });
  const folder = values.to === undefined ? config.backupFolder : resolve(values.to);
  if (folder === undefined) {
    throw new Error("Say where the backup goes: set JARA_BACKUP_FOLDER, or npm run backup -- --to FOLDER");
  }
  if (values.keep !== undefined && !/^[1-9]\d{0,3}$/.test(values.keep)) {
    throw new Error("--keep takes the number of backups to keep, at least 1.");
  }
  return { folder, keep: values.keep === undefined ? undefined : Number(values.keep) };
}

interface OpenSource {
  readonly source: BackupSource;
  close(): Promise<void>;
}

async function openSource(config: Config, archiveTo: string): Promise<OpenSource> {
  if (config.databaseUrl !== undefined) {
    const source = { ownerUrl: config.databaseOwnerUrl ?? config.databaseUrl };
    return { source, close: async () => undefined };
  }
  openHome(config.home);
  const postgres = await startEmbeddedPostgres({ folder: embeddedFolder(config), archiveTo });
  const [dataFolder, passwordFile] = [join(postgres.folder, "data"), join(postgres.folder, "password")];
  return { source: { ownerUrl: postgres.ownerUrl, dataFolder, passwordFile }, close: postgres.stop };
}

function tellPruned(folder: string, keep: number): void {
  const { backups, segments, damaged } = prune(folder, keep);
  console.log(`Deleted: ${backups.length} older backups and ${segments} segments of the log.`);
  for (const line of tellDamaged(folder, damaged)) console.error(line);
}

/** The new backup can be restored all the same; moments after it need the log. */
async function tellHoles(folder: string): Promise<void> {
  const { problems, sinceNewest } = await findHoles(folder);
  if (problems.length === 0) return;
  const lost = sinceNewest
    ? "What comes after this backup cannot be restored."
    : "Some earlier moments cannot be restored.";
  console.error(`The log of changes in ${folder} is not whole: ${tellProblems(problems)} ${lost}`);
  if (sinceNewest) process.exitCode = 1;
}
