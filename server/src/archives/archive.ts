/**
 * Old events leave the database for files that can be read without it. Events go because they are most of what is
 * stored and are read for days; money stays. Ledger, payouts, bills, loans and people are online for ever (ADR 0027).
 *
 * An environment's log is archived from its beginning on, in whole months, so that one number says what is archived:
 * the floor (platform/records/event-floor.ts). A file has the events of one environment and one month, each with what
 * became of it at every endpoint. It is written, brought to disk, given its name, read back and held against the rows
 * of the database; then one commit moves the floor, and only then are rows removed:
 *
 *   read ─▶ write, fsync, rename ─▶ read back, compare with the rows ─▶ COMMIT: the floor is above ─▶ rows go in steps
 *
 * Whoever is killed before the commit leaves a file that nobody refers to, and events that are all online. The next run
 * writes the same file again under the same name, or puts the old one aside if it has become another.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";

/** How many days events stay online; 0 is for ever. */
export interface EventSpans {
  readonly LIVE: number;
  readonly SANDBOX: number;
}

/** Without it nothing is archived and nothing is removed. */
export interface ArchiveSettings {
  readonly folder: string;
  readonly days: EventSpans;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** Events from before this moment may go: the first of a month, so that months go as a whole. Null keeps everything. */
export function dueBefore(days: number, now: Date): Date | null {
  if (days === 0) return null;
  const last = new Date(now.getTime() - days * dayMs);
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1));
}

/** Since when an event of that moment could have been archived. */
export function dueSince(days: number, createdAt: Date): Date {
  return new Date(Date.UTC(createdAt.getUTCFullYear(), createdAt.getUTCMonth() + 1, 1) + days * dayMs);
}

export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);

/** One event as it is stored, and as its line in the file. */
export interface StoredEvent {
  readonly position: bigint;
  readonly id: string;
  readonly createdAt: Date;
  readonly line: string;
  /** Something may still happen to it: a delivery is open, was tried just now, or was asked for again lately. */
  readonly busy: boolean;
}

/** What stands beside a file, for those who have only the folder. */
export interface Manifest {
  /** The form of the lines. */
  readonly version: 1;
  readonly kind: "events";
  readonly environment: string;
  readonly environmentKind: EnvironmentKind;
  readonly month: string;
  readonly rows: number;
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly bytes: number;
  /** Of the file as it is, compressed. */
  readonly sha256: string;
  readonly writtenAt: string;
}

/** The name says which events it has, and its hash that no two files of one name differ. */
export function fileName({ firstPosition, lastPosition, sha256 }: Omit<Manifest, "writtenAt">): string {
  const place = (position: number) => String(position).padStart(12, "0");
  return `events-${place(firstPosition)}-${place(lastPosition)}-${sha256.slice(0, 12)}.ndjson.gz`;
}

const form = /^events-(\d{12})-(\d{12})-[0-9a-f]{12}\.ndjson\.gz$/;

export const isArchiveName = (name: string): boolean => form.test(name);

/** Whether a file of this name has an event of these positions. */
export function overlaps(name: string, first: bigint, last: bigint): boolean {
  const found = form.exec(name);
  return found !== null && BigInt(found[1] ?? 0) <= last && BigInt(found[2] ?? 0) >= first;
}
