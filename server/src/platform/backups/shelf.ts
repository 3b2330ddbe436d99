/**
 * A folder of backups: `base/<time>` are whole copies of a data folder, each with `backup.json`, and `wal` is the log
 * of changes since the oldest of them. A backup that was cut short has no name of its own and never counts.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { segmentsIn } from "../embedded-postgres/archive.ts";

export interface Backup {
  /** Its folder's name: when it was begun, in UTC. */
  readonly label: string;
  /** The earliest moment that it can be restored to. */
  readonly finishedAt: string;
  /** The first segment of the log that it needs. */
  readonly firstSegment: string;
  readonly serverVersion: string;
  /** Whether later moments can be restored too. */
  readonly archived: boolean;
}

export const backupFile = "backup.json";
const unfinished = ".part";

export const folderOf = (folder: string, label: string): string => join(folder, "base", label);

/** Where a new one is made; what an earlier one left half done is cleared away. */
export function beginBackup(folder: string, label: string): string {
  const base = join(folder, "base");
  mkdirSync(base, { recursive: true });
  for (const name of readdirSync(base)) {
    if (name.endsWith(unfinished)) rmSync(join(base, name), { recursive: true, force: true });
  }
  const place = join(base, `${label}${unfinished}`);
  mkdirSync(place, { mode: 0o700 });
  return place;
}

/** Oldest first. */
export function listBackups(folder: string): Backup[] {
  const base = join(folder, "base");
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .filter((name) => !name.endsWith(unfinished) && existsSync(join(base, name, backupFile)))
    .sort()
    .map((name): Backup => JSON.parse(readFileSync(join(base, name, backupFile), "utf8")));
}

/** The latest one that was finished by then; without a moment, the latest of all. */
export function chooseBackup(folder: string, at: Date | undefined): Backup {
  const all = listBackups(folder);
  const last = all.at(-1);
  if (last === undefined) throw new Error(`${folder} holds no finished backup. Make one with: npm run backup`);
  if (at === undefined) return last;
  const chosen = all.findLast(({ finishedAt }) => Date.parse(finishedAt) <= at.getTime());
  if (chosen !== undefined) return chosen;
  const [first] = all;
  throw new Error(
    `The oldest backup of ${folder} was finished at ${first?.finishedAt}; ${at.toISOString()} is before that and cannot be restored.`,
  );
}

export interface Pruned {
  readonly backups: readonly string[];
  readonly segments: number;
}

/** Keeps the newest backups, and of the log what the oldest of them needs. */
export function prune(folder: string, keep: number): Pruned {
  const all = listBackups(folder);
  const [gone, kept] = [all.slice(0, Math.max(0, all.length - keep)), all.slice(-keep)];
  for (const { label } of gone) rmSync(folderOf(folder, label), { recursive: true });
  const first = kept[0]?.firstSegment;
  const place = segmentsIn(folder);
  if (first === undefined || !existsSync(place)) return { backups: gone.map(({ label }) => label), segments: 0 };
  const old = readdirSync(place).filter((name) => isSegment(name) && positionOf(name) < positionOf(first));
  for (const name of old) rmSync(join(place, name));
  return { backups: gone.map(({ label }) => label), segments: old.length };
}

function isSegment(name: string): boolean {
  return /^[0-9A-F]{24}(\.partial|\.[0-9A-F]{8}\.backup)?(\.gz)?$/.test(name);
}

/** Without the time line: its first eight digits say which of several histories it belongs to. */
function positionOf(segment: string): string {
  return segment.slice(8, 24);
}
