/**
 * One logger for the process. A machine reads it from standard output, a line of JSON for each event. A person sees
 * warnings and errors only, a readable line each, and the JSON lies in a file beside the data. What must not be written
 * down is taken out in `redact.ts`, from every line and whatever way it came in.
 */
import { existsSync, fstatSync, renameSync, statSync } from "node:fs";
import type { Writable } from "node:stream";
import { type DestinationStream, type Logger, multistream, pino } from "pino";
import { prettyFactory } from "pino-pretty";
import { logSubject } from "./log-subject.ts";
import { redacted, redactLine } from "./redact.ts";

export type { Logger } from "pino";

export interface LoggerOptions {
  /** fatal, error, warn, info, debug, trace or silent. */
  readonly level: string;
  /** For a person: everything goes to this file, and what they should know is also shown. */
  readonly file?: string;
  /** Standard output unless a test wants to read along. */
  readonly destination?: DestinationStream;
}

/** The places where a secret is known to pass; the search over the finished line stands behind them. */
const knownPaths = ["headers.authorization", "headers.cookie", "req.headers.authorization", "req.headers.cookie"];
const fileLimitBytes = 10 * 1024 * 1024;

export function createLogger(options: LoggerOptions): Logger {
  const output = options.destination ?? openLogOutput();
  return pino(
    {
      level: options.level,
      mixin: logSubject,
      redact: { paths: knownPaths, censor: redacted },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactLine },
    },
    options.file === undefined ? output : forPerson(output, options.file),
  );
}

/** An error of the database driver carries its whole connection, which says nothing and is long. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { client, ...described } = { client: undefined, ...pino.stdSerializers.err(error) };
  return described;
}

function forPerson(screen: DestinationStream, file: string): DestinationStream {
  const present = prettyFactory({
    colorize: process.stdout.isTTY,
    translateTime: "SYS:HH:MM:ss",
    include: "level,time",
    messageFormat: (line) => `${line["msg"] ?? ""}${reasonOf(line["err"])}`,
  });
  return multistream([
    { level: "trace", stream: openFile(file) },
    { level: "warn", stream: { write: (line: string) => screen.write(present(line)) } },
  ]);
}

/** Without the stack, which is in the file. */
function reasonOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return "";
  return `: ${String(error.message)}`;
}

function openFile(file: string): DestinationStream {
  if (existsSync(file) && statSync(file).size > fileLimitBytes) renameSync(file, `${file}.1`);
  const opened = pino.destination({ dest: file, append: true, mode: 0o600, sync: true });
  // A full disk must not end the server for want of a log line.
  opened.on("error", () => undefined);
  return opened;
}

/**
 * Standard output as a place for log lines that never holds the process up. A program that reads our pipe may stall,
 * and a blocking write would then stop every request with it. So a pipe is written without waiting: what it does not
 * take is kept, up to a bound, and beyond that lines are dropped and counted. Files and terminals take a line at once.
 */

/** Some ten thousand lines. */
const keptBytes = 4 * 1024 * 1024;

function openLogOutput(): DestinationStream {
  const stat = fstatSync(1);
  return stat.isFIFO() || stat.isSocket() ? withoutWaiting(process.stdout) : pino.destination({ fd: 1, sync: true });
}

export function withoutWaiting(pipe: Writable): DestinationStream {
  // A reader that has gone is no reason to end: nobody reads the log, and that is all.
  pipe.on("error", () => undefined);
  let dropped = 0;
  return {
    write(line) {
      if (pipe.destroyed) return;
      if (pipe.writableLength + line.length > keptBytes) {
        dropped += 1;
        return;
      }
      if (dropped > 0) pipe.write(lineAbout(dropped));
      dropped = 0;
      pipe.write(line);
    },
  };
}

function lineAbout(dropped: number): string {
  const msg = "log lines were dropped, because whoever reads them did not keep up";
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), dropped, msg })}\n`;
}
