/** A merchant's server that takes webhooks: it keeps what came and answers as it is told. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { whenOver } from "../when-over.ts";

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a message, or leaves it without an answer. */
export type Manner = (reply: ServerResponse, message: Received) => void;

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Connections that were opened, whatever came over them. */
  connections(): number;
  behave(manner: Manner): void;
}

export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ""): Manner =>
  (reply) =>
    void reply.writeHead(status, headers).end(body);

export const silent: Manner = () => undefined;

export async function createReceiver(manner: Manner = answering(200), host = "127.0.0.1"): Promise<Receiver> {
  const received: Received[] = [];
  let current = manner;
  let connections = 0;
  const server = createServer((request, reply) => {
    void readMessage(request).then((message) => {
      received.push(message);
      current(reply, message);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, host);
  await once(server, "listening");
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/hooks`,
    received,
    connections: () => connections,
    behave: (next) => {
      current = next;
    },
  };
}

async function readMessage(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    path: request.url ?? "",
    headers: request.headers as Record<string, string>,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}
