/**
 * A folder of backups: `base/<time>` are whole copies of a data folder, each with `backup.json`, and `wal` is the log
 * of changes since the oldest of them. A backup that was cut short has no name of its own and never counts. One whose
 * `backup.json` cannot be read is damaged: it hides none of the others, is never chosen nor deleted, and is named.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { segmentsIn } from "../embedded-postgres/archive.ts";

const written = Type.Object({
  /** Its folder's name: when it was begun, in UTC. */
  label: Type.String(),
  /** The earliest moment that it can be restored to. */
  finishedAt: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" }),
  /** The first segment of the log that it needs. */
  firstSegment: Type.String({ pattern: "^[0-9A-F]{24}$" }),
  serverVersion: Type.String(),
  /** Whether later moments can be restored too. */
  archived: Type.Boolean(),
});

export type Backup = Readonly<Static<typeof written>>;

interface DamagedBackup {
  /** Its folder's name. */
  readonly label: string;
  readonly why: string;
}

interface Shelf {
  /** Oldest first. */
  readonly backups: readonly Backup[];
  readonly damaged: readonly DamagedBackup[];
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

export function listBackups(folder: string): Shelf {
  const base = join(folder, "base");
  if (!existsSync(base)) return { backups: [], damaged: [] };
  const found = readdirSync(base)
    .filter((name) => !name.endsWith(unfinished) && existsSync(join(base, name, backupFile)))
    .sort()
    .map((name) => readBackup(name, join(base, name, backupFile)));
  return {
    backups: found.filter((each): each is Backup => !isDamaged(each)),
    damaged: found.filter(isDamaged),
  };
}

function readBackup(label: string, path: string): Backup | DamagedBackup {
  try {
    const said: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!Check(written, said)) return { label, why: `${backupFile} is not one of a backup` };
    // A copy under another name leads to the folder that it was copied from, and that one would be deleted for it.
    return said.label === label ? said : { label, why: `${backupFile} is that of ${said.label}` };
  } catch (error) {
    return { label, why: error instanceof Error ? error.message : String(error) };
  }
}

function isDamaged(each: Backup | DamagedBackup): each is DamagedBackup {
  return "why" in each;
}

/** A line for each that was left out, for a person to read. */
export function tellDamaged(folder: string, damaged: readonly DamagedBackup[]): string[] {
  return damaged.map(({ label, why }) => `The backup ${folderOf(folder, label)} is damaged and was left out: ${why}.`);
}

/** The latest one that was finished by then; without a moment, the latest of all. What was left out is told too. */
export function chooseBackup(folder: string, at: Date | undefined): Backup & Pick<Shelf, "damaged"> {
  const { backups, damaged } = listBackups(folder);
  const refuse = (says: string): Error => new Error([says, ...tellDamaged(folder, damaged)].join(" "));
  const last = backups.at(-1);
  if (last === undefined) throw refuse(`${folder} holds no finished backup. Make one with: npm run backup.`);
  if (at === undefined) return { ...last, damaged };
  const chosen = backups.findLast(({ finishedAt }) => Date.parse(finishedAt) <= at.getTime());
  if (chosen !== undefined) return { ...chosen, damaged };
  const [first] = backups;
  throw refuse(
    `The oldest backup of ${folder} was finished at ${first?.finishedAt}; ${at.toISOString()} is before that and cannot be restored.`,
  );
}

export interface Pruned extends Pick<Shelf, "damaged"> {
  readonly backups: readonly string[];
  readonly segments: number;
}

/**
 * Keeps the newest backups, and of the log what the oldest of them needs. A damaged one is not counted among those that
 * are kept, and not deleted either: its data may be whole, and a person decides.
 */
export function prune(folder: string, keep: number): Pruned {
  const { backups: all, damaged } = listBackups(folder);
  const [gone, kept] = [all.slice(0, Math.max(0, all.length - keep)), all.slice(-keep)];
  for (const { label } of gone) rmSync(folderOf(folder, label), { recursive: true });
  const backups = gone.map(({ label }) => label);
  const first = kept[0]?.firstSegment;
  const place = segmentsIn(folder);
  if (first === undefined || !existsSync(place)) return { backups, damaged, segments: 0 };
  const old = readdirSync(place).filter((name) => isSegment(name) && positionOf(name) < positionOf(first));
  for (const name of old) rmSync(join(place, name));
  return { backups, damaged, segments: old.length };
}

function isSegment(name: string): boolean {
  return /^[0-9A-F]{24}(\.partial|\.[0-9A-F]{8}\.backup)?(\.gz)?$/.test(name);
}

/** Without the time line: its first eight digits say which of several histories it belongs to. */
function positionOf(segment: string): string {
  return segment.slice(8, 24);
}
