/** The `jara` command as a process of its own, against the whole API behind a real socket. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runHere } from "../../cli/testing/in-process.ts";
import { patienceMs } from "../../server/testing/patience.ts";
import { whenOver } from "../../server/testing/when-over.ts";
import { eventually } from "../../server/testing/work.ts";

const bin = join(import.meta.dirname, "..", "..", "cli", "bin", "jara.mjs");

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  /** Until standard output or error says so. */
  says(text: string, withinMs?: number): Promise<void>;
  ended(): Promise<Ended>;
}

export interface Jara {
  readonly home: string;
  /** Runs a command to its end, in a process of its own. */
  run(...words: string[]): Promise<Ended>;
  /** The same in this process, which takes a tenth of the time: for what a command says, not for how it starts or ends. */
  call(...words: string[]): Promise<Ended>;
  start(...words: string[]): Running;
  /** At a terminal of its own, so wide, where keys can be pressed. */
  startAtTerminal(columns: number, ...words: string[]): AtTerminal;
}

export interface AtTerminal extends Running {
  press(keys: string): void;
}

interface JaraOptions {
  /** The home, unless it is said. */
  readonly directory?: string;
  /** Node and the command; else those of this repository. */
  readonly program?: readonly [node: string, command: string];
}

export function createJara(
  env: Readonly<Record<string, string>>,
  { directory, program: [node, command] = [process.execPath, bin] }: JaraOptions = {},
): Jara {
  const home = mkdtempSync(join(tmpdir(), "jara-cli-"));
  const children = new Set<ChildProcess>();
  whenOver(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });
  const { PATH = "" } = process.env;
  const own = { PATH, JARA_HOME: home, NO_COLOR: "1", JARA_DEMO: "off" };
  const options = { cwd: directory ?? home, env: { ...own, ...env } };
  const follow = (child: ChildProcess): Running => {
    children.add(child);
    const said = { out: "", err: "" };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said.out += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said.err += text;
    });
    const closed = once(child, "close");
    return {
      child,
      out: () => said.out,
      err: () => said.err,
      says: (text, withinMs = patienceMs) =>
        eventually(`jara says "${text}"`, () => `${said.out}${said.err}`.includes(text), withinMs),
      ended: async () => {
        await closed;
        return { code: child.exitCode, ...said };
      },
    };
  };
  const start: Jara["start"] = (...words) =>
    follow(spawn(node, [command, ...words], { ...options, stdio: ["ignore", "pipe", "pipe"] }));
  const startAtTerminal: Jara["startAtTerminal"] = (columns, ...words) => {
    const quoted = [node, command, ...words].map((word) => `'${word}'`).join(" ");
    const child = atTerminal(`stty cols ${columns} rows 40; exec ${quoted}`, options);
    return { ...follow(child), press: (keys) => void child.stdin.write(keys) };
  };
  const call: Jara["call"] = (...words) => runHere(words, { env: options.env, directory: options.cwd });
  return { home, start, startAtTerminal, call, run: (...words) => start(...words).ended() };
}

/** Whether `atTerminal` can work here. */
export const hasTerminal = String(spawnSync("script", ["--version"]).stdout).includes("util-linux");

/** A shell's line at a terminal of its own, made by util-linux's `script`. */
export function atTerminal(
  line: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ChildProcessWithoutNullStreams {
  return spawn("script", ["-qfec", line, "/dev/null"], { cwd, env, stdio: "pipe" });
}
