/**
 * A receiver of webhooks in a process of its own: /ok/… answers at once, /hang/… never does. What it saw is told to
 * the parent on request, and how many have arrived as they do.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface SinkReport {
  readonly port: number;
  /** Whole requests to /ok/…, since the last reset. */
  readonly arrived: number;
  /** Milliseconds from `sentAt` in the body, or in its reference, to its arrival, where the body has one. */
  readonly delaysMs: readonly number[];
  /** When each of those arrived. */
  readonly atMs: readonly number[];
  /** Requests to /hang/… whose senders have not given up yet. */
  readonly hanging: number;
}

export interface SinkProgress {
  readonly progress: number;
}

const tellEveryMs = 5;

let arrived = 0;
let told = 0;
let delaysMs: number[] = [];
let atMs: number[] = [];
let hanging = 0;

const sentAt = /"(?:sentAt":|reference":"at-)(\d+)/;

function read(request: IncomingMessage, done: () => void): void {
  let body = "";
  request.setEncoding("latin1");
  request.on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    const moment = sentAt.exec(body)?.[1];
    if (moment !== undefined) {
      delaysMs.push(Date.now() - Number(moment));
      atMs.push(Date.now());
    }
    done();
  });
}

function hang(request: IncomingMessage, response: ServerResponse): void {
  hanging += 1;
  response.on("close", () => {
    hanging -= 1;
  });
  request.resume();
}

const report = (port: number): SinkReport => ({ port, arrived, delaysMs, atMs, hanging });

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url?.startsWith("/ok/") !== true) return hang(request, response);
  read(request, () => {
    arrived += 1;
    response.writeHead(200, { "content-length": "2" }).end("ok");
  });
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.on("message", (word) => {
    if (word === "reset") [arrived, told, delaysMs, atMs] = [0, 0, [], []];
    process.send?.(report(port));
  });
  process.send?.(report(port));
});
setInterval(() => {
  if (told === arrived) return;
  told = arrived;
  process.send?.({ progress: arrived } satisfies SinkProgress);
}, tellEveryMs).unref();
process.on("disconnect", () => process.exit(0));
