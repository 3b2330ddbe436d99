/** Hears what a server sends over its sockets: every reply to a request, and what is said to those who speak no HTTP. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { parseReply } from "../platform/raw-http.ts";
import type { SentReply } from "./reply-book.ts";

export type OnReply = (reply: SentReply) => void;

export function listenIn(server: Server, onReply: OnReply): void {
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) =>
    hearReply(request, response, onReply),
  );
  server.prependListener("clientError", (_, socket) => hearClientError(socket as Socket, onReply));
}

export function hearReply(
  { method = "GET", url = "" }: IncomingMessage,
  response: ServerResponse,
  onReply: OnReply,
): void {
  const chunks: Buffer[] = [];
  let headers: SentReply["headers"] = {};
  const keep = ([chunk]: readonly unknown[]): void => {
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  listenTo(response, "writeHead", (args) => {
    headers = { ...response.getHeaders(), ...(args.at(-1) as SentReply["headers"]) };
  });
  listenTo(response, "write", keep);
  listenTo(response, "end", keep);
  response.once("finish", () => {
    onReply({ method, url, status: response.statusCode, headers, body: Buffer.concat(chunks).toString() });
  });
}

/** There was no request, so the reply is taken for one to the root. */
export function hearClientError(socket: Socket, onReply: OnReply): void {
  listenTo(socket, "end", ([text]) => {
    if (typeof text === "string") onReply({ method: "GET", url: "/", ...parseReply(text) });
  });
}

function listenTo<T extends object>(
  stream: T,
  name: keyof T & string,
  heard: (args: readonly unknown[]) => void,
): void {
  const original = stream[name] as (...args: never[]) => unknown;
  Object.assign(stream, {
    [name](...args: unknown[]) {
      heard(args);
      return Reflect.apply(original, stream, args);
    },
  });
}
