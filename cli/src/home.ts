/** The folder in which a local server keeps what tools need to know, and this command what it has to remember. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CliError } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";

export interface DevServer {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly operatorToken?: string | undefined;
  /** Who the demo merchant's owner is at the console. */
  readonly ownerEmail?: string | undefined;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

/** `$JARA_HOME`, else the nearest `.jara` from here upwards, else one in the home directory. */
export function findHome({ env, directory }: Surroundings): string {
  if (env["JARA_HOME"]) return env["JARA_HOME"];
  for (let at = directory; ; at = dirname(at)) {
    const home = join(at, ".jara");
    if (existsSync(join(home, "dev.json"))) return home;
    if (dirname(at) === at) return join(homedir(), ".jara");
  }
}

/** What `npm start` wrote for tools, if there is a local server. */
export function readDevServer(home: string): DevServer | undefined {
  const file = join(home, "dev.json");
  if (!existsSync(file)) return undefined;
  const written = readJson(file, "npm start writes it again.");
  if (typeof written !== "object" || written === null) return undefined;
  const { baseUrl, secretKey, operatorToken, ownerEmail } = written as Partial<DevServer>;
  if (typeof baseUrl !== "string" || typeof secretKey !== "string") return undefined;
  return { baseUrl, secretKey, operatorToken, ...(ownerEmail === undefined ? {} : { ownerEmail }) };
}

const ownNames = ["localhost", "127.0.0.1", "[::1]"];

/** The local server, where it is the one at this address: its keys go to no other. */
export function devServerAt(home: string, baseUrl: string): DevServer | undefined {
  const server = readDevServer(home);
  return server !== undefined && placeOf(server.baseUrl) === placeOf(baseUrl) ? server : undefined;
}

/** A machine has several names for itself. */
function placeOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port } = new URL(address);
  return `${protocol}//${ownNames.includes(hostname) ? "localhost" : hostname}:${port}`;
}

/** A file of ours. One that somebody broke is named, and never shown: there are keys in it. */
export function readJson(file: string, cure: string): unknown {
  const text = readFileSync(file, "utf8");
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(exitCodes.unexpected, `${file} cannot be read. Delete it; ${cure}`);
  }
}
