/** HTTP as bytes, for requests that no well-behaved client would send. */

import { once } from "node:events";
import { connect } from "node:net";

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends the bytes on a connection of its own and reads until the server closes it or one whole reply has come. */
export async function sendRaw(port: number, request: string | Buffer): Promise<RawReply> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let received = "";
  socket.setEncoding("latin1");
  const done = new Promise<void>((resolve, reject) => {
    socket.on("data", (chunk: string) => {
      received += chunk;
      if (isWhole(received)) resolve();
    });
    socket.on("end", resolve);
    socket.on("error", (error) => (received === "" ? reject(error) : resolve()));
  });
  socket.write(request);
  await done;
  socket.destroy();
  return parseReply(received);
}

function isWhole(text: string): boolean {
  const split = text.indexOf("\r\n\r\n");
  if (split === -1) return false;
  const length = /content-length: (\d+)/i.exec(text.slice(0, split))?.[1];
  return length !== undefined && text.length >= split + 4 + Number(length);
}

export function parseReply(text: string): RawReply {
  const split = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, split).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return {
    status: Number(statusLine.split(" ")[1]),
    headers,
    body: Buffer.from(text.slice(split + 4), "latin1").toString(),
  };
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The bytes of a request whose length is right. */
export function rawRequest({ method = "POST", path, headers = {}, body = "" }: RawRequest): Buffer {
  const all = { Host: "localhost", "Content-Length": String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1"),
    Buffer.from(body),
  ]);
}
