import { setTimeout as pause } from "node:timers/promises";
import { besideEnvironment, type Database, type Tx } from "../platform/database/database.ts";
import { shareGate } from "../platform/database/share-gate.ts";
import { lockEventFloor, readEventFloor } from "../platform/records/event-floor.ts";
import { type Manifest, monthOf, type StoredEvent } from "./archive.ts";
import { fileOf, type Shelf } from "./archive-file.ts";
import { insertArchive, readArchiveFiles, readStored, removeArchived, takeArchiving } from "./archive-store.ts";

export interface ArchiveLimits {
  /** Of one file. */
  readonly events: number;
  readonly bytes: number;
  /** Rows that one statement reads, or removes. */
  readonly atOnce: number;
  /** Between two steps of removing, in which others have the disk. */
  readonly restMs: number;
}

export const usualLimits: ArchiveLimits = { events: 20_000, bytes: 32 * 1024 * 1024, atOnce: 500, restMs: 20 };

export interface ArchiveCommand {
  readonly environmentId: string;
  /** Events from before this moment may go. */
  readonly before: Date;
  readonly now: Date;
  readonly limits?: ArchiveLimits;
}

/** Takes at most one file's worth away. Returns how many events went to it: 0 when nothing may go now. */
export async function archiveEvents(db: Database, shelf: Shelf, command: ArchiveCommand): Promise<number> {
  const { environmentId, limits = usualLimits } = command;
  await removeRows(db, environmentId, limits);
  const archived = await besideEnvironment(db, environmentId, (tx) => archiveOneFile(tx, shelf, command, limits));
  if (archived > 0) await removeRows(db, environmentId, limits);
  return archived;
}

async function archiveOneFile(tx: Tx, shelf: Shelf, command: ArchiveCommand, limits: ArchiveLimits): Promise<number> {
  if (!(await takeArchiving(tx))) return 0;
  await shareGate(tx);
  const floor = await readEventFloor(tx);
  const events = await collect(tx, floor.position, earlier(command.before, tx, command.now), limits);
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const moments = events.map(({ createdAt }) => createdAt.getTime()).sort((one, other) => one - other);
  const [firstAt, lastAt] = [new Date(moments[0] ?? 0), new Date(moments.at(-1) ?? 0)];
  const manifest = await shelf.put(
    events.map(({ line }) => line),
    {
      version: 1,
      kind: "events",
      environment: command.environmentId,
      environmentKind: tx.environment.kind,
      month: monthOf(first.createdAt),
      rows: events.length,
      firstPosition: Number(first.position),
      lastPosition: Number(last.position),
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
      writtenAt: command.now.toISOString(),
    },
  );
  // Nobody sends an event again from here on, so what is compared now stays as it is.
  await lockEventFloor(tx);
  await compareWithRows(tx, await shelf.read(manifest), manifest, limits);
  const positions = { firstPosition: first.position, lastPosition: last.position };
  const { bytes, sha256 } = manifest;
  await insertArchive(tx, {
    ...positions,
    lastEventId: last.id,
    firstAt,
    lastAt,
    file: fileOf(manifest),
    bytes,
    sha256,
  });
  await shelf.putAside(manifest, await readArchiveFiles(tx, first.position, last.position));
  return events.length;
}

/** Events of one month from the floor on, as long as each may go. */
async function collect(tx: Tx, floor: bigint, before: Date, limits: ArchiveLimits): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  let bytes = 0;
  while (events.length < limits.events) {
    const wanted = Math.min(limits.atOnce, limits.events - events.length);
    const page = await readStored(tx, events.at(-1)?.position ?? floor, wanted);
    for (const event of page) {
      const month = monthOf((events[0] ?? event).createdAt);
      bytes += event.line.length;
      const fits = bytes <= limits.bytes || events.length === 0;
      if (event.busy || event.createdAt >= before || monthOf(event.createdAt) !== month || !fits) return events;
      events.push(event);
    }
    if (page.length < wanted) return events;
  }
  return events;
}

/** What is on disk is held against what is in the database, line by line. */
async function compareWithRows(tx: Tx, lines: readonly string[], manifest: Manifest, limits: ArchiveLimits) {
  if (lines.length !== manifest.rows) throw new Error(`${fileOf(manifest)} has ${lines.length} lines`);
  let position = BigInt(manifest.firstPosition) - 1n;
  for (let at = 0; at < lines.length; at += limits.atOnce) {
    const stored = await readStored(tx, position, Math.min(limits.atOnce, lines.length - at));
    const differs = stored.find((event, place) => event.line !== lines[at + place] || event.busy);
    const last = stored.at(-1);
    if (differs !== undefined || last === undefined) {
      throw new Error(`an event changed while ${fileOf(manifest)} was written; it is archived in another run`);
    }
    position = last.position;
  }
  if (position !== BigInt(manifest.lastPosition)) throw new Error(`${fileOf(manifest)} is not a run of events`);
}

async function removeRows(db: Database, environmentId: string, { atOnce, restMs }: ArchiveLimits): Promise<void> {
  for (;;) {
    const removed = await besideEnvironment(db, environmentId, async (tx) => {
      await shareGate(tx);
      return removeArchived(tx, atOnce);
    });
    if (removed === 0) return;
    await pause(restMs);
  }
}

/** Old by real time and by the environment's own clock: a sandbox that stands in the past keeps its present. */
function earlier(before: Date, tx: Tx, now: Date): Date {
  const behindMs = Math.min(0, tx.environment.clock.now().getTime() - now.getTime());
  return new Date(before.getTime() + behindMs);
}
