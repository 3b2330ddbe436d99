/** A server that misbehaves on request: each request meets the next fault, and what came is kept. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Fault = (reply: ServerResponse, arrived: Arrived) => void;

/** Closes the connection instead of replying. */
export const cut: Fault = (reply) => void reply.destroy();

export const hang: Fault = () => undefined;

/** Promises more than it sends. */
export const cutInBody: Fault = (reply) => {
  reply.writeHead(201, { "content-type": "application/json", "content-length": "1000" });
  reply.write('{"status":true,"da');
  setImmediate(() => reply.destroy());
};

export const html =
  (status: number, headers: Readonly<Record<string, string>> = {}): Fault =>
  (reply) =>
    void reply.writeHead(status, { "content-type": "text/html", ...headers }).end("<h1>nginx</h1>");

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Fault =>
  (reply) =>
    void reply.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

export const refuse = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Fault =>
  json(
    status,
    { status: false, message: `Refused: ${code}.`, code, errors: [], data: null, requestId: "req_1" },
    headers,
  );

export const good = (data: unknown): Fault => json(200, { status: true, message: "Done.", data });

export interface FaultServer {
  readonly baseUrl: string;
  readonly arrived: Arrived[];
  /** What the next requests meet, one each; the last one stays. */
  play(...faults: Fault[]): void;
}

export async function createFaultServer(): Promise<FaultServer> {
  const arrived: Arrived[] = [];
  let faults: Fault[] = [hang];
  const server = createServer((request, reply) => {
    void readAll(request).then((body) => {
      const { method = "", url = "", headers } = request;
      const came = { method, url, headers, body };
      arrived.push(came);
      const fault = faults.length > 1 ? faults.shift() : faults[0];
      fault?.(reply, came);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    play(...next) {
      arrived.length = 0;
      faults = next;
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
