/** Old events that an operator's server has taken to files: what there is, and the events themselves. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ArchiveFile, hasItsSize, readArchive, readLines } from "../archive/archive-folder.ts";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Screen } from "../screen.ts";
import { moment } from "../words.ts";

interface Where {
  readonly folder?: string;
  readonly environment?: string;
}

export async function listArchive(given: Given, options: Where & { readonly verify?: boolean }): Promise<void> {
  const { screen } = given;
  const { files, faults } = readArchive(folderOf(given, options), options.environment);
  const damaged = files.flatMap((file) => faultOf(file, options.verify === true));
  const rows = files.map((file) => [
    file.environment,
    file.environmentKind,
    file.month,
    String(file.rows),
    moment(file.firstAt),
    moment(file.lastAt),
    `${Math.ceil(file.bytes / 1024)} KiB`,
  ]);
  const head = ["ENVIRONMENT", "KIND", "MONTH", "EVENTS", "FROM", "TO", "SIZE"];
  screen.records(files, { head, rows }, "The archive is empty.");
  tellFaults(screen, [...faults, ...damaged]);
}

/** Only with `--verify` is every file read. */
function faultOf(file: ArchiveFile, reads: boolean): string[] {
  if (!reads && hasItsSize(file)) return [];
  const lines = readLines(file);
  return typeof lines === "string" ? [lines] : [];
}

interface Wanted extends Where {
  readonly from?: Date;
  readonly to?: Date;
  readonly event?: string;
  readonly id?: string;
}

interface Archived {
  readonly id: string;
  readonly event: string;
  readonly createdAt: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly deliveries: readonly { readonly status: string }[];
}

/** What cannot be read may have what was asked for. */
const unknownRest = "No event fits in the files that can be read. What the others have is not known:";

export async function readArchived(given: Given, wanted: Wanted): Promise<void> {
  const { screen, stopped } = given;
  const { files, faults } = readArchive(folderOf(given, wanted), wanted.environment);
  const found = [...faults];
  let shown = 0;
  for (const file of files.filter((one) => mayHave(one, wanted))) {
    if (stopped.aborted) return;
    const lines = readLines(file);
    if (typeof lines === "string") found.push(lines);
    else shown += showLines(screen, lines, wanted);
  }
  if (shown === 0 && !screen.isJson) screen.remark(found.length === 0 ? "No archived event fits." : unknownRest);
  tellFaults(screen, found);
}

function mayHave({ firstAt, lastAt }: ArchiveFile, { from, to }: Wanted): boolean {
  return (from === undefined || new Date(lastAt) >= from) && (to === undefined || new Date(firstAt) < to);
}

function showLines(screen: Screen, lines: readonly string[], wanted: Wanted): number {
  let shown = 0;
  for (const line of lines) {
    const event = JSON.parse(line) as Archived;
    if (!fits(event, wanted)) continue;
    shown += 1;
    screen.line(screen.isJson ? line : told(screen, event));
  }
  return shown;
}

function fits({ id, event, createdAt, resourceId }: Archived, wanted: Wanted): boolean {
  const at = new Date(createdAt);
  return (
    (wanted.event === undefined || event === wanted.event) &&
    (wanted.id === undefined || id === wanted.id || resourceId === wanted.id) &&
    (wanted.from === undefined || at >= wanted.from) &&
    (wanted.to === undefined || at < wanted.to)
  );
}

function told({ colors }: Screen, { id, event, createdAt, resourceType, resourceId, deliveries }: Archived): string {
  const sent = deliveries.map(({ status }) => status).join(", ") || "sent to no endpoint";
  return [moment(createdAt), event, id, colors.dim(`${resourceType} ${resourceId}`), colors.dim(sent)].join("  ");
}

function folderOf({ env, directory }: Given, { folder }: Where): string {
  const named = folder ?? env["JARA_ARCHIVE_FOLDER"];
  if (!named) throw new CliError(exitCodes.usage, "Say where the archive is: --folder, or JARA_ARCHIVE_FOLDER.");
  const place = resolve(directory, named);
  if (existsSync(place)) return place;
  throw new CliError(exitCodes.usage, `There is no folder ${place}. Name the server's JARA_ARCHIVE_FOLDER.`);
}

function tellFaults({ remark }: Screen, faults: readonly string[]): void {
  for (const fault of faults) remark(fault);
  if (faults.length > 0) process.exitCode = exitCodes.damaged;
}
