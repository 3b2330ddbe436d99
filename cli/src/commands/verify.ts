/** What `npm run verify` does: recomputes every figure about money from its history, and names what differs. */
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { findClone, startInClone } from "../clone.ts";
import type { Given } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";

export async function verify(given: Given): Promise<void> {
  const { screen, stopped, env } = given;
  const program = startInClone(findClone(given, "jara verify"), ["run", "server/src/programs/verify-ledger.ts"], env);
  stopped.addEventListener("abort", () => program.kill("SIGINT"));
  screen.progress("Verifying …");
  const [verdict, differences, [code]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, "close"),
  ]);
  screen.progress("");
  const isGood = code === 0;
  const lines = differences.split("\n").filter((line) => line !== "");
  if (screen.isJson) screen.line(JSON.stringify({ isGood, verdict: verdict.trim(), differences: lines }, null, 2));
  else {
    for (const line of lines) screen.remark(line);
    if (verdict !== "") screen.line(`${isGood ? screen.colors.green("✓") : screen.colors.red("✗")} ${verdict.trim()}`);
  }
  if (!isGood) process.exitCode = exitCodes.refused;
}
