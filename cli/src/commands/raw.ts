/**
 * Any request to the API with the key, as it is on the wire. What is printed is the reply's body and nothing else. The
 * body of a request goes out as it was written: reading and writing it again would change numbers.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { CliError, isRefusedConnection } from "../cli-error.ts";
import type { Given } from "../command.ts";
import type { Connection } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";

interface PostOptions {
  readonly data?: string;
  readonly idempotencyKey?: string;
}

interface Outgoing {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly idempotencyKey?: string | undefined;
}

export async function rawGet(given: Given, _options: object, path = ""): Promise<void> {
  await send(given, { method: "GET", path: pathOf(path) });
}

export async function rawPost(given: Given, options: PostOptions, path = ""): Promise<void> {
  const body = await bodyOf(given, options.data ?? "{}");
  await send(given, {
    method: "POST",
    path: pathOf(path),
    body,
    idempotencyKey: options.idempotencyKey ?? randomUUID(),
  });
}

/** A path only: the key must not go to an address that somebody copied from elsewhere. */
function pathOf(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    throw new CliError(exitCodes.usage, `"${text}" is an address. Give the path alone, such as /transfers?limit=5.`);
  }
  return text.startsWith("/") ? text : `/${text}`;
}

/** The text itself, `@file`, or `@-` for standard input. */
async function bodyOf({ input, directory }: Given, data: string): Promise<string> {
  const text = data === "@-" ? await input.read() : data.startsWith("@") ? readBody(directory, data.slice(1)) : data;
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(exitCodes.usage, `The body is not JSON: ${why}. Write -d '{"amount":2500}', or -d @file.json.`);
  }
}

function readBody(directory: string, name: string): string {
  try {
    return readFileSync(new URL(name, `file://${directory}/`), "utf8");
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    throw new CliError(exitCodes.usage, `${name} cannot be read (${String(code)}).`);
  }
}

const patienceMs = 30_000;

async function send(given: Given, outgoing: Outgoing): Promise<void> {
  const connection = given.connect();
  const reply = await ask(connection, outgoing, given.stopped);
  const text = await reply.text();
  if (!reply.ok) throw refusalOf(reply, text);
  given.screen.line(pretty(text));
}

async function ask(
  { baseUrl, secretKey }: Connection,
  { method, path, body, idempotencyKey }: Outgoing,
  stopped: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(`${baseUrl.replace(/\/+$/, "")}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: "error",
      signal: AbortSignal.any([stopped, AbortSignal.timeout(patienceMs)]),
    });
  } catch (error) {
    throw lost(baseUrl, { method, idempotencyKey }, error);
  }
}

function lost(
  baseUrl: string,
  { method, idempotencyKey }: Pick<Outgoing, "method" | "idempotencyKey">,
  error: unknown,
) {
  if (method === "GET" || isRefusedConnection(error)) {
    const cure = "Start one with npm start, or name yours with --base-url.";
    return new CliError(exitCodes.unreachable, `No Jara server replies at ${baseUrl}. ${cure}`);
  }
  const again = `Send it again with --idempotency-key ${idempotencyKey}: it happens once.`;
  return new CliError(exitCodes.unknown, `The reply of ${baseUrl} was lost: it may have happened.\n  ${again}`);
}

interface Refused {
  readonly message?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly data?: unknown;
}

function refusalOf({ status, headers }: Response, text: string): CliError {
  const told = parsed(text) as Refused | undefined;
  const fields = (told?.errors ?? []).map(({ field, message }) => `  ${field} ${message}`);
  const data = told?.data == null ? [] : JSON.stringify(told.data, null, 2).split("\n");
  const help = /<([^>]+)>; rel="help"/.exec(headers.get("link") ?? "")?.[1];
  const lines = [
    `HTTP ${status}. ${told?.message ?? text.slice(0, 500)}`,
    ...fields,
    ...data.map((line) => `  ${line}`),
    `  ${told?.code ?? "no code"}, request ${headers.get("x-request-id") ?? "unknown"}`,
    ...(help === undefined ? [] : [`  ${help}`]),
  ];
  const isKey = status === 401 || status === 403;
  return new CliError(isKey ? exitCodes.key : exitCodes.refused, lines.join("\n"));
}

/** A statement as CSV, or a page, stays as it is. */
function pretty(text: string): string {
  const value = parsed(text);
  return value === undefined ? text.trimEnd() : JSON.stringify(value, null, 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
