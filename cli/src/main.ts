/** The `jara` command. */
import { CommanderError } from "commander";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { createProgram } from "./program.ts";

const stopping = new AbortController();
let stoppedBy: ExitCode = exitCodes.interrupted;
// The second one ends the process at once.
process.once("SIGINT", () => stopping.abort());
process.once("SIGTERM", () => {
  stoppedBy = exitCodes.terminated;
  stopping.abort();
});
// A reader such as `head` may have seen enough.
process.stdout.on("error", (error: { code?: string }) => process.exit(error.code === "EPIPE" ? 0 : 1));

const { stdout, stderr, env } = process;
const mayColor = stdout.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb";
const program = createProgram({
  env,
  directory: process.cwd(),
  stopped: stopping.signal,
  input: {
    isTTY: process.stdin.isTTY,
    read: async () => (await import("node:stream/consumers")).text(process.stdin),
  },
  screen: async ({ json }) => {
    const { createScreen } = await import("./screen.ts");
    return createScreen({ json, out: stdout, err: stderr, color: mayColor && json !== true });
  },
});

// At a question whose input has closed nothing is left to wait for, and Node would end with a warning of its own.
process.once("beforeExit", endWithoutInput);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}
process.off("beforeExit", endWithoutInput);

function endWithoutInput(): void {
  stderr.write("\nThe input ended before the question was answered. Nothing was done.\n");
  process.exit(exitCodes.usage);
}

async function report(error: unknown): Promise<number> {
  // What runs until it is stopped ends without an error; everything else was cut short.
  if (stopping.signal.aborted) {
    stderr.write("Stopped.\n");
    return stoppedBy;
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const { tell } = await import("./cli-error.ts");
  const told = tell(error);
  if (told === undefined) throw error;
  stderr.write(`${told.lines.join("\n")}\n`);
  return told.exitCode;
}
