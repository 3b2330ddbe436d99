/**
 * The log of changes in a folder of backups, looked at before anybody relies on it. PostgreSQL takes a segment that it
 * cannot get for the end of the log: a restore then ends early, without a word, and all that came later is gone. So
 * every segment from the first that a backup needs to the newest there must be in its place, and whole.
 *
 * A segment's name says its time line (eight digits) and its place. A database that was restored goes on in a new time
 * line, whose history file says where it left the old one.
 */
import { existsSync, readdirSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gunzipSync, constants as zlib } from "node:zlib";
import { segmentsIn } from "../embedded-postgres/archive.ts";
import { type Backup, folderOf, listBackups } from "./shelf.ts";

export interface LogProblem {
  /** The segment's name, or the file's. */
  readonly name: string;
  readonly why: string;
}

export interface ChangeLog {
  /** In the order in which PostgreSQL would meet them. */
  readonly problems: readonly LogProblem[];
  /** The last segment that a restore should reach, and where it begins and ends; undefined without any. */
  readonly newest: { readonly name: string; readonly begin: bigint; readonly end: bigint } | undefined;
}

/** `names` finds what is missing or cut by its size; `bytes` reads every segment. */
export type Depth = "names" | "bytes";

interface TimeLine {
  readonly id: number;
  readonly begin: bigint;
}

/** What the header of a segment's first page says. */
interface Shape {
  readonly segmentBytes: number;
  readonly pageBytes: number;
}

const segmentName = /^[0-9A-F]{24}$/;
const fourGiB = 0x1_0000_0000n;
const longHeaderBytes = 40;
const shortHeaderBytes = 24;

/** The log from what `backup` needs on. `all` are the backups of the folder: none of them may begin after its end. */
export async function lookThroughLog(
  folder: string,
  backup: Backup,
  all: readonly Backup[],
  depth: Depth,
): Promise<ChangeLog> {
  const place = segmentsIn(folder);
  const files = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".gz")) : [];
  const names = new Set(files.map((name) => name.slice(0, -".gz".length)));
  const shape = await readShape(place, [...names].filter(isSegment).toSorted());
  if (shape === undefined) {
    return { problems: [{ name: backup.firstSegment, why: `is missing: ${place} has no log` }], newest: undefined };
  }
  const lines = await readTimeLines(place, names, timeLineOf(backup.firstSegment));
  if ("why" in lines) return { problems: [lines], newest: undefined };
  const size = BigInt(shape.segmentBytes);
  const lineAt = (number: bigint) => lines.findLast(({ begin }) => begin / size <= number)?.id ?? 1;
  const isOnTheWay = (name: string) => isSegment(name) && lineAt(numberOf(name, size)) === timeLineOf(name);

  const first = numberOf(backup.firstSegment, size);
  const wanted = [...names, ...all.map(({ firstSegment }) => firstSegment)].filter(isOnTheWay);
  const last = wanted.map((name) => numberOf(name, size)).reduce((max, each) => (each > max ? each : max), first);
  const systemId = depth === "bytes" ? await readSystemId(folder, backup) : undefined;
  const problems: LogProblem[] = [];
  for (let number = first; number <= last; number += 1n) {
    const name = nameOf(lineAt(number), number, size);
    const why = await findFault(join(place, `${name}.gz`), number * size, shape, systemId);
    if (why !== undefined) problems.push({ name, why });
  }
  const newest = { name: nameOf(lineAt(last), last, size), begin: last * size, end: (last + 1n) * size };
  return { problems: [...problems, ...findStrangers(names, lines)], newest };
}

export interface LogHoles {
  readonly problems: readonly LogProblem[];
  /** What came after the newest backup cannot be restored; otherwise only some older moments cannot. */
  readonly sinceNewest: boolean;
}

/** What is missing or cut in the log of all backups, without reading it whole. */
export async function findHoles(folder: string): Promise<LogHoles> {
  const backups = listBackups(folder).backups.filter(({ archived }) => archived);
  const [oldest, newest] = [backups.at(0), backups.at(-1)];
  if (oldest === undefined || newest === undefined) return { problems: [], sinceNewest: false };
  const since = await lookThroughLog(folder, newest, backups, "names");
  if (since.problems.length > 0 || oldest === newest) {
    return { problems: since.problems, sinceNewest: since.problems.length > 0 };
  }
  return { problems: (await lookThroughLog(folder, oldest, backups, "names")).problems, sinceNewest: false };
}

/** Whether a replay that ended at `end` has had all of the newest segment: a change may go on in one that is not there. */
export async function isReplayed(folder: string, { newest }: ChangeLog, end: bigint): Promise<boolean> {
  if (newest === undefined || end >= newest.end) return true;
  if (end < newest.begin) return false;
  const bytes = await readSegment(join(segmentsIn(folder), `${newest.name}.gz`));
  const { pageBytes } = readHeader(bytes);
  const offset = Number(end - newest.begin);
  const header = offset === 0 ? longHeaderBytes : offset % pageBytes === 0 ? shortHeaderBytes : 0;
  const length = bytes.readUInt32LE(offset + header);
  const laterPages = Math.floor((bytes.length - 1 - offset) / pageBytes);
  return length > bytes.length - offset - header - laterPages * shortHeaderBytes;
}

/** A line for each, for a person to read; of many the first ones. */
export function tellProblems(problems: readonly LogProblem[]): string {
  const told = problems.slice(0, 5).map(({ name, why }) => `${name} ${why}`);
  return `${told.join("; ")}${problems.length > told.length ? `; and ${problems.length - told.length} more` : ""}.`;
}

export function readLsn(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return BigInt(`0x${high}`) * fourGiB + BigInt(`0x${low}`);
}

export function writeLsn(lsn: bigint): string {
  return [lsn / fourGiB, lsn % fourGiB].map((part) => part.toString(16).toUpperCase()).join("/");
}

const isSegment = (name: string): boolean => segmentName.test(name);
const timeLineOf = (name: string): number => Number.parseInt(name.slice(0, 8), 16);
const hex8 = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, "0");

function numberOf(name: string, size: bigint): bigint {
  return BigInt(`0x${name.slice(8, 16)}`) * (fourGiB / size) + BigInt(`0x${name.slice(16, 24)}`);
}

function nameOf(line: number, number: bigint, size: bigint): string {
  const perFile = fourGiB / size;
  return `${hex8(BigInt(line))}${hex8(number / perFile)}${hex8(number % perFile)}`;
}

/** From the first segment that can be read: all are of one size. */
async function readShape(place: string, names: readonly string[]): Promise<Shape | undefined> {
  for (const name of names) {
    try {
      const file = await open(join(place, `${name}.gz`));
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0);
        return readHeader(gunzipSync(buffer.subarray(0, bytesRead), { finishFlush: zlib.Z_SYNC_FLUSH }));
      } finally {
        await file.close();
      }
    } catch {
      // It is named below, with its reason.
    }
  }
  return undefined;
}

function readHeader(page: Buffer): Shape & { readonly address: bigint; readonly systemId: bigint } {
  const [segmentBytes, pageBytes] = [page.readUInt32LE(32), page.readUInt32LE(36)];
  if (segmentBytes < 2 ** 20 || Math.log2(segmentBytes) % 1 !== 0 || pageBytes < 512 || segmentBytes % pageBytes !== 0)
    throw new Error("it does not begin like a segment");
  return { segmentBytes, pageBytes, address: page.readBigUInt64LE(8), systemId: page.readBigUInt64LE(24) };
}

/** As PostgreSQL finds the latest time line: it counts up from the backup's as long as there is a history. Oldest first. */
async function readTimeLines(
  place: string,
  names: ReadonlySet<string>,
  start: number,
): Promise<readonly TimeLine[] | LogProblem> {
  const historyOf = (id: number) => `${hex8(BigInt(id))}.history`;
  let latest = start;
  while (names.has(historyOf(latest + 1))) latest += 1;
  if (!names.has(historyOf(latest))) return [{ id: latest, begin: 0n }];
  const name = historyOf(latest);
  try {
    const text = (await readSegment(join(place, `${name}.gz`))).toString("utf8");
    const parents = [...text.matchAll(/^(\d+)\s+(\S+\/\S+)/gm)].map(([, id, left = ""]) => [Number(id), left] as const);
    const begins = [0n, ...parents.map(([, left]) => readLsn(left))];
    const ids = [...parents.map(([id]) => id), latest];
    const lines = ids.map((id, index) => ({ id, begin: begins[index] ?? 0n }));
    if (ids.includes(start)) return lines;
    return { name, why: `does not come from time line ${start}, which the backup is of` };
  } catch (error) {
    return { name, why: damage(error) };
  }
}

/** Segments of a time line that no history leads to: a restore would not see them. */
function findStrangers(names: ReadonlySet<string>, lines: readonly TimeLine[]): LogProblem[] {
  const latest = lines.at(-1)?.id ?? 1;
  const strangers = [...names].filter((name) => isSegment(name) && timeLineOf(name) > latest).toSorted();
  const [first] = strangers;
  if (first === undefined) return [];
  const why = `is of a later time line whose history is missing, as are ${strangers.length - 1} others`;
  return [{ name: first, why }];
}

/** Of the database that the backup was made of: it stands first in its control file. */
async function readSystemId(folder: string, { label }: Backup): Promise<bigint> {
  return (await readFile(join(folderOf(folder, label), "data", "global", "pg_control"))).readBigUInt64LE(0);
}

/** Undefined when there is none. Without `systemId` only the file's ends are read. */
async function findFault(
  path: string,
  address: bigint,
  shape: Shape,
  systemId: bigint | undefined,
): Promise<string | undefined> {
  if (!existsSync(path)) return "is missing";
  try {
    if (systemId === undefined) return await findCut(path, shape);
    const bytes = await readSegment(path);
    const header = readHeader(bytes);
    if (header.systemId !== systemId) return "is of another database";
    if (bytes.length !== shape.segmentBytes) return `is damaged: it has ${bytes.length} bytes`;
    for (let at = 0; at < bytes.length; at += shape.pageBytes) {
      const found = bytes.readBigUInt64LE(at + 8);
      // What follows a switch to the next segment is zeros.
      if (found !== address + BigInt(at) && !(found === 0n && at > 0)) {
        return `is damaged: its page at byte ${at} belongs elsewhere`;
      }
    }
    return undefined;
  } catch (error) {
    return damage(error);
  }
}

/** gzip writes at the end how long the whole was, so a file that was cut says something else. */
async function findCut(path: string, { segmentBytes }: Shape): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return size < 20 || buffer.readUInt32LE(0) !== segmentBytes ? "is damaged: its end is missing" : undefined;
  } finally {
    await file.close();
  }
}

async function readSegment(path: string): Promise<Buffer> {
  return promisify(gunzip)(await readFile(path));
}

function damage(error: unknown): string {
  return `is damaged: ${error instanceof Error ? error.message : String(error)}`;
}
