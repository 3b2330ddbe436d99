/** Starts servers as a person does, in processes of their own, and watches what becomes of them. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Jara } from "../../sdk/src/index.ts";
import { makeQuickFolder } from "../../server/testing/quick-folder.ts";
import { whenOver } from "../../server/testing/when-over.ts";
import { refuseUndeclared } from "./declared-replies.ts";

export const projectRoot = join(import.meta.dirname, "..", "..");

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  output(): string;
  /** Resolves when the server says that it is ready; rejects with its output when it ends before. */
  readonly ready: Promise<void>;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function makeHome(): string {
  const home = makeQuickFolder("jara-e2e-");
  chmodSync(home, 0o755);
  whenOver(async () => {
    for (const pid of processesUsing(home)) killQuietly(pid);
    // What was killed may be writing still.
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    await refuseUndeclared(repliesOf(home));
  });
  return home;
}

/** PostgreSQL's processes end with the first of them. */
function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended while we looked.
  }
}

/** Where a server with this home writes its replies down. */
export const repliesOf = (home: string): string => `${home}.replies`;

const recorder = join(projectRoot, "server", "testing", "document", "record-replies.mjs");

export interface StartOptions {
  /** npm in front makes it what a person starts; its process group is then its own, as a terminal's foreground is. */
  readonly through?: "npm";
  /** A file that goes into the server's process before anything else. */
  readonly preload?: string;
}

/** As `npm start` does it: the bootstrap, which then runs the server in the pinned Node. */
export function startServer(
  environment: Readonly<Record<string, string>>,
  { through, preload }: StartOptions = {},
): ServerProcess {
  const { PATH = "", HOME = "" } = process.env;
  const [command, words] =
    through === "npm" ? ["npm", ["start"]] : [process.execPath, [join(projectRoot, "tools", "bootstrap.mjs"), "start"]];
  const child = spawn(command, words, {
    cwd: projectRoot,
    env: {
      PATH,
      HOME,
      NODE_OPTIONS: [recorder, ...(preload === undefined ? [] : [preload])]
        .map((file) => `--import=${pathToFileURL(file)}`)
        .join(" "),
      // What tests count is what they made.
      JARA_DEMO: "off",
      JARA_TEST_REPLIES: repliesOf(environment["JARA_HOME"] ?? ""),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: through === "npm",
  });
  let text = "";
  let isReady = false;
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  // A test that expects a failed start never waits for this.
  ready.catch(() => undefined);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      // Only until then: the log grows to megabytes, and each new line would have all of it searched.
      isReady ||= /Jara is ready|"msg":"ready"/.test(text);
      if (isReady) resolve();
    });
  }
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.once("close", (code, signal) => {
      reject(new Error(`the server ended before it was ready:\n${text}`));
      done({ code, signal });
    });
  });
  return { child, baseUrl: `http://127.0.0.1:${environment["PORT"]}`, output: () => text, ready, exit };
}

export async function stopServer(server: ServerProcess): Promise<void> {
  server.child.kill("SIGINT");
  const { code } = await server.exit;
  if (code !== 0) throw new Error(`the server ended with ${code}:\n${server.output()}`);
}

export interface DevFile {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly operatorToken: string;
  readonly docsUrl: string;
  readonly shopUrl: string;
  readonly signInLink: string;
}

export function readDevFile(home: string): DevFile {
  return JSON.parse(readFileSync(join(home, "dev.json"), "utf8"));
}

/** The demo merchant's client, as an integrator has it. */
export function connectTo({ baseUrl }: Pick<ServerProcess, "baseUrl">, home: string): Jara {
  return new Jara({ baseUrl, secretKey: readDevFile(home).secretKey });
}

/** Every living process that has the folder in its command line or its environment: servers and PostgreSQL. */
export function processesUsing(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => ["cmdline", "environ"].some((file) => readQuietly(`/proc/${name}/${file}`).includes(folder)))
    .map(Number);
}

/** The server's own Node below the bootstrap: what somebody kills who aims at the server. */
export function childOf(pid: number | undefined): number {
  const children = readQuietly(`/proc/${pid}/task/${pid}/children`).trim().split(" ");
  return Number(children[0]);
}

function readQuietly(file: string): string {
  try {
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  } catch {
    // It ended while we looked.
    return "";
  }
}
