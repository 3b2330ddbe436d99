/** What passes between a caller and a twin. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { recordAt, type WireRecord } from "../../src/rails/wire-json.ts";

export interface TwinRequest {
  readonly method: string;
  readonly path: string;
  /** The parts of the path that a route names with a colon, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it arrived, byte for byte. */
  readonly raw: Buffer;
  /** The JSON of the body; an empty record when there is none, or when it is not a record. */
  readonly body: WireRecord;
}

export interface TwinReply {
  readonly status: number;
  /** Sent as JSON. A text is sent as HTML. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function sendReply(response: ServerResponse, { status, body, headers = {} }: TwinReply): void {
  const isPage = typeof body === "string";
  const content = isPage ? body : JSON.stringify(body);
  const type = isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
  response.writeHead(status, { "content-type": type, ...headers }).end(content);
}

export async function readRequest(message: IncomingMessage): Promise<TwinRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const { pathname, searchParams } = new URL(message.url ?? "/", "http://twin");
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: message.method ?? "GET",
    path: pathname,
    params: {},
    query: searchParams,
    headers: Object.fromEntries(headers),
    raw,
    body: recordIn(raw),
  };
}

function recordIn(raw: Buffer): WireRecord {
  try {
    return recordAt(JSON.parse(raw.toString("utf8")));
  } catch {
    return {};
  }
}

/** Posts a webhook as a provider does and returns the status of the reply. */
export async function postHook(
  url: string,
  raw: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: new Uint8Array(Buffer.from(raw)),
  });
  await reply.arrayBuffer();
  return reply.status;
}
