/** Calls to the operator's API, which the SDK leaves to operators: merchants and keys. */
import { randomUUID } from "node:crypto";
import { CliError } from "./cli-error.ts";
import { addressOf, type ConnectionOptions } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { devServerAt, findHome, type Surroundings } from "./home.ts";

export interface Operator {
  call<Data>(method: "GET" | "POST", path: string, body?: object): Promise<Data>;
  /** The first so many of a list, page by page. */
  list<Row>(path: string, atMost: number): Promise<Row[]>;
}

interface Reply {
  readonly data: unknown;
  readonly pagination?: { readonly hasNextPage: boolean };
  readonly message?: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

const patienceMs = 30_000;
/** As many as the server gives at once. */
const wholePage = 100;

export function connectOperator(options: ConnectionOptions, around: Surroundings): Operator {
  const baseUrl = addressOf(options, around);
  const token = around.env["JARA_OPERATOR_TOKEN"] || devServerAt(findHome(around), baseUrl)?.operatorToken;
  if (token === undefined || token === "") {
    throw new CliError(
      exitCodes.key,
      `There is no operator token for ${baseUrl}. Set JARA_OPERATOR_TOKEN, or run npm start in the clone.`,
    );
  }
  const ask = (method: "GET" | "POST", path: string, body?: object): Promise<Reply> =>
    send(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === "POST" ? { "content-type": "application/json", "idempotency-key": randomUUID() } : {}),
      },
      ...(method === "POST" ? { body: JSON.stringify(body ?? {}) } : {}),
    });
  return {
    call: async <Data>(method: "GET" | "POST", path: string, body?: object) =>
      (await ask(method, path, body)).data as Data,
    async list<Row>(path: string, atMost: number): Promise<Row[]> {
      const size = Math.min(atMost, wholePage);
      const rows: Row[] = [];
      for (let page = 1; rows.length < atMost; page += 1) {
        const { data, pagination } = await ask("GET", `${path}?page=${page}&limit=${size}`);
        rows.push(...(data as Row[]));
        if (pagination?.hasNextPage !== true) break;
      }
      return rows.slice(0, atMost);
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
