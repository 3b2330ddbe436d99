/** Lays a backup out as a data folder that PostgreSQL brings to the wanted moment when it starts. */
import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { restoreCommand } from "../embedded-postgres/archive.ts";
import { copyTree, syncToDisk } from "./copy-tree.ts";
import { type Backup, folderOf } from "./shelf.ts";

export interface Moment {
  /** The folder of backups. */
  readonly from: string;
  readonly backup: Backup;
  /** Undefined: as late as the log of changes goes. */
  readonly at: Date | undefined;
  /** Ends at the first segment that is missing or damaged, instead of refusing. */
  readonly acceptLoss?: boolean;
}

/** `data` must not exist: what is there may be all that is left. */
export async function layOut({ from, backup, at, acceptLoss = false }: Moment, data: string): Promise<void> {
  if (existsSync(data)) throw new Error(`${data} exists. Move it away first; nothing was changed.`);
  const settings = recoverySettings(restoreCommand(from, at === undefined && !acceptLoss), at);
  try {
    await copyTree(join(folderOf(from, backup.label), "data"), data);
    appendFileSync(join(data, "postgresql.auto.conf"), settings);
    writeFileSync(join(data, "recovery.signal"), "");
    await syncToDisk(data);
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    throw error;
  }
}

/**
 * The settings stay in the file and mean nothing once PostgreSQL has taken `recovery.signal` away. Without a moment
 * the target is the end of the log, whatever time line it is on.
 */
function recoverySettings(command: string, at: Date | undefined): string {
  const target =
    at === undefined ? [] : [`recovery_target_time = '${at.toISOString().replace("T", " ").replace("Z", "+00")}'`];
  const lines = [
    "# Written by npm run restore",
    `restore_command = '${command}'`,
    "recovery_target_timeline = 'latest'",
    "recovery_target_action = 'promote'",
    ...target,
  ];
  return `\n${lines.join("\n")}\n`;
}
