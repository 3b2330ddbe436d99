/** Runs one command of a list, with its time and what it cost the processors, its children included. */
import { spawn } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

export interface Played {
  readonly isGood: boolean;
  readonly seconds: number;
  /** Undefined where the shell cannot tell. */
  readonly processorSeconds: number | undefined;
  readonly output: string;
}

/** bash adds up what its children used, and prints it on a pipe of its own once they are done. */
const measured = `"$@"; status=$?; times >&3; exit $status`;

export async function playStep(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<Played> {
  const started = performance.now();
  let [output, times] = ["", ""];
  const child = spawn("bash", ["-c", measured, "bash", ...command], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      print(text);
    });
  }
  child.stdio[3]?.on("data", (text: Buffer) => {
    times += text.toString();
  });
  const isGood = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
  const seconds = Math.round((performance.now() - started) / 1_000);
  return { isGood, seconds, processorSeconds: readTimes(times), output };
}

/** The second line of bash's `times`: user and system time of all children that have ended. */
export function readTimes(times: string): number | undefined {
  const [, children] = times.trim().split("\n");
  const parts = [...(children ?? "").matchAll(/(\d+)m(\d+)[.,](\d+)s/g)];
  if (parts.length !== 2) return undefined;
  return Math.round(parts.reduce((sum, [, m, s, fraction]) => sum + Number(m) * 60 + Number(`${s}.${fraction}`), 0));
}
