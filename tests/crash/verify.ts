import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Fleet } from "./fleet.ts";

const programs = join(import.meta.dirname, "..", "..", "server", "src", "programs");

/** A program of ours, as npm runs it; throws with its words when it fails. */
export async function runProgram(
  name: string,
  settings: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): Promise<string> {
  const env = { ...process.env, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [join(programs, name), ...words], { env });
  return stdout;
}

/** `npm run verify`, on the database of the campaign. */
export async function verify({
  appUrl,
  ownerUrl,
  home,
}: Pick<Fleet, "appUrl" | "ownerUrl" | "home">): Promise<string[]> {
  try {
    await runProgram("verify-ledger.ts", { JARA_HOME: home, DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl });
    return [];
  } catch (error) {
    return [`npm run verify: ${error instanceof Error ? error.message : error}`];
  }
}
