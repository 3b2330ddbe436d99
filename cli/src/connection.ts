/** Which server is meant, and with which key: by option, by variable, or the one that `npm start` runs here. */
import { Jara } from "@jara/sdk";
import { CliError } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";
import { devServerAt, findHome, readDevServer, type Surroundings } from "./home.ts";

export interface ConnectionOptions {
  readonly key?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly live?: boolean | undefined;
}

export interface Connection {
  readonly jara: Jara;
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly home: string;
  readonly isLive: boolean;
}

const localUrl = "http://localhost:4000";

/** Where the server is. A variable that is empty counts as not set. */
export function addressOf(options: ConnectionOptions, around: Surroundings): string {
  return options.baseUrl ?? (around.env["JARA_BASE_URL"] || readDevServer(findHome(around))?.baseUrl || localUrl);
}

export function connect(options: ConnectionOptions, around: Surroundings, stopped?: AbortSignal): Connection {
  const home = findHome(around);
  const baseUrl = addressOf(options, around);
  const secretKey = (options.key ?? (around.env["JARA_SECRET_KEY"] || devServerAt(home, baseUrl)?.secretKey))?.trim();
  if (secretKey === undefined || secretKey === "") {
    throw new CliError(
      exitCodes.key,
      `There is no key for ${baseUrl}. Set JARA_SECRET_KEY, give --key, or run npm start in the clone: its key is found by itself.`,
    );
  }
  if (!/^sk_(test|live)_[\x21-\x7e]+$/.test(secretKey)) {
    throw new CliError(exitCodes.key, "This is not a secret key: it begins with sk_test_ or sk_live_. Copy all of it.");
  }
  const isLive = secretKey.startsWith("sk_live_");
  if (isLive && options.live !== true) {
    throw new CliError(exitCodes.key, "This is a live key: it moves real money. Add --live if you mean it.");
  }
  return { jara: new Jara({ secretKey, baseUrl, signal: stopped }), baseUrl, secretKey, home, isLive };
}

/** For what exists in sandboxes only. */
export function refuseLive({ isLive }: Connection, what: string): void {
  if (isLive)
    throw new CliError(exitCodes.key, `${what} works in a sandbox only. Use a key that begins with sk_test_.`);
}
