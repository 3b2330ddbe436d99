/**
 * A fresh link that signs in at the console of the server on this machine. It is made with the operator's token of
 * `dev.json`, which only the owner of that file can read, so nobody gets a link who could not get in without it. The
 * token goes to no other machine, whatever options and variables say.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import type { ConnectionOptions } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { type DevServer, findHome, readDevServer } from "../home.ts";
import { connectOperator } from "../operator.ts";

interface ConsoleOptions extends ConnectionOptions {
  /** False with `--no-open`. */
  readonly open?: boolean;
}

const ownNames = ["localhost", "127.0.0.1", "[::1]"];

export async function openConsole(given: Given, options: ConsoleOptions): Promise<void> {
  const { screen, directory, env } = given;
  const home = findHome(given);
  const { baseUrl, ownerEmail } = serverHere(given, home, options);
  const here = { directory, env: { JARA_HOME: home } };
  const person = { email: ownerEmail, name: "Demo owner", operatorRole: "admin" };
  const { signInLink } = await connectOperator({ baseUrl }, here).call<{ signInLink: string }>(
    "POST",
    "/operator/people",
    person,
  );
  if (screen.isJson) return screen.line(JSON.stringify({ signInLink }, null, 2));
  screen.line(signInLink);
  screen.remark("It signs you in once, within twelve hours. Anyone who has it can sign in as you.");
  const opener = options.open === false || !screen.isTerminal ? undefined : openerOf(env);
  if (opener !== undefined && (await open(opener, writePage(home, signInLink), env))) {
    screen.remark("Your browser opens it.");
  }
}

function serverHere(
  { env }: Given,
  home: string,
  options: ConsoleOptions,
): DevServer & { readonly ownerEmail: string } {
  const server = readDevServer(home);
  if (server === undefined) {
    throw new CliError(exitCodes.unreachable, "No server of this machine is known here. Start one with npm start.");
  }
  const { baseUrl, ownerEmail } = server;
  const asked = options.baseUrl ?? (env["JARA_BASE_URL"] || baseUrl);
  if (
    !URL.canParse(baseUrl) ||
    !ownNames.includes(new URL(baseUrl).hostname) ||
    asked.replace(/\/+$/, "") !== baseUrl
  ) {
    const message = `jara console signs in at the server of this machine only, and ${asked} may be another one.`;
    throw new CliError(exitCodes.usage, `${message} There, ask the operator for a link.`);
  }
  if (ownerEmail === undefined) {
    const message = "This server has no demo merchant, or is older than this command.";
    throw new CliError(exitCodes.refused, `${message} Restart it, or let a person in with POST /operator/people.`);
  }
  return { ...server, ownerEmail };
}

/** Nothing where no browser is: on a server, over ssh, in a container. */
function openerOf(env: Given["env"]): string | undefined {
  if (env["SSH_CONNECTION"]) return undefined;
  if (process.platform === "darwin") return "open";
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "xdg-open" : undefined;
}

/** Other users of the machine see the words of every program: the browser is given this file's name, not the link. */
function writePage(home: string, link: string): string {
  const file = join(home, "console.html");
  rmSync(file, { force: true });
  const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${link}"><title>Jara</title>\n`;
  writeFileSync(file, page, { mode: 0o600, flag: "wx" });
  return file;
}

/** False where there is no such program. */
async function open(opener: string, file: string, env: Given["env"]): Promise<boolean> {
  const child = spawn(opener, [file], { stdio: "ignore", detached: true, env: { ...env } });
  child.unref();
  return once(child, "spawn").then(
    () => true,
    () => false,
  );
}
