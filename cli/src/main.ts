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
  input: process.stdin,
  screen: async ({ json }) => {
    const { createScreen } = await import("./screen.ts");
    return createScreen({ json, out: stdout, err: stderr, color: mayColor && json !== true });
  },
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await report(error);
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
