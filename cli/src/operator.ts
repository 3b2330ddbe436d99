/** Calls to the operator's API, which the SDK leaves to operators: merchants and keys. */
import { randomUUID } from "node:crypto";
import { CliError } from "./cli-error.ts";
import { addressOf, type ConnectionOptions } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { findHome, readDevServer, type Surroundings } from "./home.ts";

export interface Operator {
  call<Data>(method: "GET" | "POST", path: string, body?: object): Promise<Data>;
}

interface Reply {
  readonly data: unknown;
  readonly message?: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

const patienceMs = 30_000;

export function connectOperator(options: ConnectionOptions, around: Surroundings): Operator {
  const token = around.env["JARA_OPERATOR_TOKEN"] || readDevServer(findHome(around))?.operatorToken;
  const baseUrl = addressOf(options, around);
  if (token === undefined || token === "") {
    throw new CliError(
      exitCodes.key,
      "There is no operator token. Set JARA_OPERATOR_TOKEN, or run npm start in the clone.",
    );
  }
  return {
    async call<Data>(method: "GET" | "POST", path: string, body?: object): Promise<Data> {
      const reply = await send(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(method === "POST" ? { "content-type": "application/json", "idempotency-key": randomUUID() } : {}),
        },
        ...(method === "POST" ? { body: JSON.stringify(body ?? {}) } : {}),
      });
      return reply.data as Data;
    },
  };
}

async function send(url: string, init: RequestInit): Promise<Reply> {
  const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
  if (reply === undefined) {
    const { origin } = new URL(url);
    const message = `No Jara server replies at ${origin}. Start one with npm start, or name yours with --base-url.`;
    throw new CliError(exitCodes.unreachable, message);
  }
  const told = (await reply.json().catch(() => ({ data: null }))) as Reply;
  if (reply.ok) return told;
  const fields = (told.errors ?? []).map(({ field, message }) => `\n  ${field} ${message}`).join("");
  const help = /<([^>]+)>; rel="help"/.exec(reply.headers.get("link") ?? "")?.[1];
  const isKey = reply.status === 401 || reply.status === 403;
  const lines = [
    `${told.message ?? `The server returned ${reply.status}.`}${fields}`,
    `${told.code ?? reply.status}, request ${told.requestId ?? "unknown"}`,
    ...(help === undefined ? [] : [help]),
  ];
  throw new CliError(isKey ? exitCodes.key : exitCodes.refused, lines.join("\n  "));
}
