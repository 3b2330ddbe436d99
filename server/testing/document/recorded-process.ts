/** Inside a server that a test has started: writes every reply down, for the test to hold against the document. */
import { openSync, writeSync } from "node:fs";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hearClientError, hearReply } from "./listen-in.ts";
import type { SentReply } from "./reply-book.ts";

const path = process.env["JARA_TEST_REPLIES"];
/** Opened at the first reply, and once: a test may leave the server without a home, or without file descriptors. */
let file: number | undefined;

function write({ body, ...reply }: SentReply): void {
  const isJson = String(reply.headers["content-type"]).startsWith("application/json");
  // Pages and files are not part of the interface, and large.
  if (path === undefined) return;
  file ??= openSync(path, "a");
  writeSync(file, `${JSON.stringify({ ...reply, body: isJson ? body : "" })}\n`);
}

const emit = Server.prototype.emit;

Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]): boolean {
  if (event === "request") hearReply(args[0] as IncomingMessage, args[1] as ServerResponse, write);
  if (event === "clientError") hearClientError(args[1] as Socket, write);
  return Reflect.apply(emit, this, [event, ...args]);
};
