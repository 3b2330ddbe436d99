/** The server of the clone, and with `--listen` its webhooks on localhost, in one terminal. */
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { CliError } from "../cli-error.ts";
import { findClone, type Program, startInClone } from "../clone.ts";
import type { Given } from "../command.ts";
import { connect } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { readDevServer } from "../home.ts";
import { listen } from "../listen/listen.ts";
import type { Screen } from "../screen.ts";

interface DevOptions {
  readonly listen?: string;
}

export async function dev(given: Given, options: DevOptions): Promise<void> {
  const { screen, stopped, env } = given;
  const clone = findClone(given, "jara dev");
  const home = env["JARA_HOME"] ?? join(clone, ".jara");
  const server = startInClone(clone, ["start"], env);
  const ended = once(server, "close");
  const serverScreen = withPrefix(screen, screen.colors.cyan("server"));
  for (const stream of [server.stdout, server.stderr]) printLines(stream, serverScreen);
  stopped.addEventListener("abort", () => server.kill("SIGINT"));
  await untilReady(server, home, stopped);
  if (options.listen !== undefined && !stopped.aborted) {
    const screenOfListener = withPrefix(screen, screen.colors.green("listen"));
    const around = { env: { ...env, JARA_HOME: home }, directory: clone };
    const connection = connect({}, around);
    await listen({ ...given, screen: screenOfListener, connect: () => connection }, { forwardTo: options.listen });
  }
  const [code] = await ended;
  if (!stopped.aborted) throw ofServer(code as number | null);
}

const askEveryMs = 250;

/** It writes down where it is before it serves. */
async function untilReady(server: Program, home: string, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    if (server.exitCode !== null || server.signalCode !== null) throw ofServer(server.exitCode);
    const baseUrl = readDevServer(home)?.baseUrl;
    const reply = baseUrl === undefined ? undefined : await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (reply?.ok === true) return;
    await pause(askEveryMs, undefined, { signal: stopped }).catch(() => undefined);
  }
}

function ofServer(code: number | null): CliError {
  return new CliError(exitCodes.unreachable, `The server ended (${code ?? "by a signal"}). What it said is above.`);
}

/** Both speak in one terminal, so each line says whose it is. */
function withPrefix(screen: Screen, name: string): Screen {
  const mark = `${name} | `;
  return { ...screen, line: (text) => screen.line(mark + text), remark: (text) => screen.remark(mark + text) };
}

function printLines(stream: Readable, screen: Screen): void {
  let rest = "";
  stream.on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) screen.line(line);
  });
  stream.on("end", () => {
    if (rest !== "") screen.line(rest);
  });
}
