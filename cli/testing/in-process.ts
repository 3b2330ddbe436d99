/**
 * The command inside this process: its own program and world, and a network that returns what a test says. What needs
 * a real process or a real server (signals, pipes, terminals) is in tests/cli.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Command, CommanderError } from "commander";
import { onTestFinished, vi } from "vitest";
import { tell } from "../src/cli-error.ts";
import { exitCodes } from "../src/exit-codes.ts";
import { createProgram } from "../src/program.ts";
import { createScreen } from "../src/screen.ts";

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface Played {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly asked: readonly Asked[];
}

interface Playing {
  /** By method and how the path begins; of several the longest is meant. Each returns data, or a whole reply. */
  readonly replies?: Readonly<Record<string, (asked: Asked) => unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** How wide the terminal is; a pipe without it. */
  readonly columns?: number;
  /** Ctrl-C. */
  readonly stopped?: AbortSignal;
  /** On standard input. */
  readonly typed?: string;
}

const testKey = `sk_test_${"A".repeat(36)}`;
export const liveKey = `sk_live_${"B".repeat(36)}`;

/** Runs `jara` with these words; a text is divided at its blanks. */
export async function jara(words: string | readonly string[], playing: Playing = {}): Promise<Played> {
  const { replies = {}, env = {}, ...rest } = playing;
  const asked = replyWith(replies);
  const surroundings = {
    JARA_SECRET_KEY: testKey,
    JARA_BASE_URL: "http://jara.test",
    JARA_HOME: emptyFolder(),
    ...env,
  };
  const given = typeof words === "string" ? words.split(" ") : words;
  const { complaint, err, ...ended } = await play(given, { env: surroundings, directory: "/", ...rest });
  return { ...ended, err: err + complaint.join("\n"), asked };
}

/** Runs a command to its end as `main.ts` does, with the network as it is. */
export async function runHere(words: readonly string[], here: Here): Promise<Omit<Played, "asked">> {
  const { complaint, err, ...ended } = await play(words, here);
  return { ...ended, err: err + complaint.map((line) => `${line}\n`).join("") };
}

interface Here extends Pick<Playing, "columns" | "stopped" | "typed"> {
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
}

interface Ended extends Omit<Played, "asked"> {
  /** What `main.ts` writes about the error that ended it. */
  readonly complaint: readonly string[];
}

async function play(
  words: readonly string[],
  { env, directory, columns, stopped = new AbortController().signal, typed = "" }: Here,
): Promise<Ended> {
  const written = { out: "", err: "" };
  const into = (name: "out" | "err") => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const program = createProgram({
    env,
    directory,
    stopped,
    input: { read: async () => typed },
    screen: async ({ json }) =>
      createScreen({ json, out: { ...into("out"), ...terminal }, err: into("err"), color: false }),
  });
  captureHelp(program, written);
  const before = process.exitCode;
  try {
    await program.parseAsync([...words], { from: "user" });
    const left = process.exitCode;
    return { code: left === undefined || left === before ? 0 : Number(left), ...written, complaint: [] };
  } catch (error) {
    const { code, lines } = endOf(error);
    return { code, ...written, complaint: lines };
  } finally {
    process.exitCode = before;
  }
}

function endOf(error: unknown): { readonly code: number; readonly lines: readonly string[] } {
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : exitCodes.usage, lines: [] };
  const told = tell(error);
  if (told === undefined) throw error;
  return { code: told.exitCode, lines: told.lines };
}

function captureHelp(command: Command, written: { out: string; err: string }): void {
  command.configureOutput({
    writeOut: (text) => {
      written.out += text;
    },
    writeErr: (text) => {
      written.err += text;
    },
  });
  for (const inner of command.commands) captureHelp(inner, written);
}

function replyWith(replies: NonNullable<Playing["replies"]>): readonly Asked[] {
  const seen: Asked[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(url);
    const { method = "GET", body, headers } = init;
    const asked = {
      method,
      path: pathname + search,
      body: typeof body === "string" ? JSON.parse(body) : undefined,
      headers: new Headers(headers),
    };
    seen.push(asked);
    const names = Object.keys(replies).filter((name) => `${method} ${asked.path}`.startsWith(name));
    const [name = ""] = names.sort((one, other) => other.length - one.length);
    const reply = name === "" ? refusal(404, "not_found", "Nothing is there.") : await replies[name]?.(asked);
    return reply instanceof Response ? reply : Response.json({ status: true, data: reply });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return seen;
}

interface Detail {
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly data?: object;
}

export function refusal(status: number, code: string, message: string, detail: Detail = {}): Response {
  const headers = { link: `<http://jara.test/docs/errors#${code}>; rel="help"`, "x-request-id": "req_1" };
  const body = { status: false, code, message, errors: [], data: null, requestId: "req_1", ...detail };
  return Response.json(body, { status, headers });
}

/** A list as the API gives it: page by page. */
export function pages(rows: readonly unknown[]) {
  return ({ path }: Asked) => {
    const query = new URL(path, "http://jara.test").searchParams;
    const [page, limit] = [Number(query.get("page") ?? 1), Number(query.get("limit") ?? 10)];
    const end = page * limit;
    const pagination = {
      currentPage: page,
      itemsPerPage: limit,
      totalItems: rows.length,
      totalPages: Math.ceil(rows.length / limit),
      hasNextPage: end < rows.length,
    };
    return Response.json({ status: true, data: rows.slice(end - limit, end), pagination });
  };
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "jara-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
