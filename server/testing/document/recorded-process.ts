/** Inside a server that a test has started: writes every reply down, for the test to hold against the document. */
import { openSync, writeSync } from "node:fs";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hearClientError, hearReply } from "./listen-in.ts";
import type { SentReply } from "./reply-book.ts";

const path = process.env["JARA_TEST_REPLIES"];
/** Opened once: a test may leave the server without file descriptors. */
const file = path === undefined ? undefined : openSync(path, "a");

function write({ body, ...reply }: SentReply): void {
  const isJson = String(reply.headers["content-type"]).startsWith("application/json");
  // Pages and files are not part of the interface, and large.
  if (file !== undefined) writeSync(file, `${JSON.stringify({ ...reply, body: isJson ? body : "" })}\n`);
}

const emit = Server.prototype.emit;

Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]): boolean {
  if (event === "request") hearReply(args[0] as IncomingMessage, args[1] as ServerResponse, write);
  if (event === "clientError") hearClientError(args[1] as Socket, write);
  return Reflect.apply(emit, this, [event, ...args]);
};
