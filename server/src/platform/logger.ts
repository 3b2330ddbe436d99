/**
 * One logger for the process: a line of JSON for each event, or a readable line when a person watches a terminal.
 * What must not be written down is taken out in `redact.ts`, from every line and whatever way it came in.
 */
import { type DestinationStream, type Logger, pino } from "pino";
import { prettyFactory } from "pino-pretty";
import { redacted, redactLine } from "./redact.ts";

export type { Logger } from "pino";

export interface LoggerOptions {
  /** fatal, error, warn, info, debug, trace or silent. */
  readonly level: string;
  /** For a person at a terminal. */
  readonly pretty: boolean;
  /** Standard output unless a test wants to read along. */
  readonly destination?: DestinationStream;
}

/** The places where a secret is known to pass; the search over the finished line stands behind them. */
const knownPaths = ["headers.authorization", "headers.cookie", "req.headers.authorization", "req.headers.cookie"];

export function createLogger(options: LoggerOptions): Logger {
  const output = options.destination ?? pino.destination({ fd: 1, sync: true });
  return pino(
    {
      level: options.level,
      redact: { paths: knownPaths, censor: redacted },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactLine },
    },
    options.pretty ? forTerminal(output) : output,
  );
}

/** An error of the database driver carries its whole connection, which says nothing and is long. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { client, ...described } = { client: undefined, ...pino.stdSerializers.err(error) };
  return described;
}

function forTerminal(output: DestinationStream): DestinationStream {
  const present = prettyFactory({
    colorize: process.stdout.isTTY,
    translateTime: "HH:MM:ss.l",
    ignore: "pid,hostname",
  });
  return { write: (line) => output.write(present(line)) };
}
