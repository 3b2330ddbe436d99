/**
 * Standard output as a place for log lines that never holds the process up. A program that reads our pipe may stall,
 * and a blocking write would then stop every request with it. So a pipe is written without waiting: what it does not
 * take is kept, up to a bound, and beyond that lines are dropped and counted. Files and terminals take a line at once.
 */
import { fstatSync } from "node:fs";
import type { Writable } from "node:stream";
import { type DestinationStream, pino } from "pino";

/** Some ten thousand lines. */
const keptBytes = 4 * 1024 * 1024;

export function openLogOutput(): DestinationStream {
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
