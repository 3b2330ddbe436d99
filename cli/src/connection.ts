/** Which server is meant, and with which key: by option, by variable, or the one that `npm start` runs here. */
import { Jara } from "@jara/sdk";
import { CliError } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";
import { findHome, readDevServer, type Surroundings } from "./home.ts";

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

export function connect(options: ConnectionOptions, around: Surroundings): Connection {
  const home = findHome(around);
  const dev = readDevServer(home);
  const secretKey = options.key ?? around.env["JARA_SECRET_KEY"] ?? dev?.secretKey;
  const baseUrl = options.baseUrl ?? around.env["JARA_BASE_URL"] ?? dev?.baseUrl ?? localUrl;
  if (secretKey === undefined || secretKey === "") {
    throw new CliError(
      exitCodes.key,
      "There is no key. Set JARA_SECRET_KEY, give --key, or run npm start in the clone: its key is found by itself.",
    );
  }
  const isLive = secretKey.startsWith("sk_live_");
  if (isLive && options.live !== true) {
    throw new CliError(exitCodes.key, "This is a live key: it moves real money. Add --live if you mean it.");
  }
  return { jara: new Jara({ secretKey, baseUrl }), baseUrl, secretKey, home, isLive };
}

/** For what exists in sandboxes only. */
export function refuseLive({ isLive }: Connection, what: string): void {
  if (isLive)
    throw new CliError(exitCodes.key, `${what} works in a sandbox only. Use a key that begins with sk_test_.`);
}
