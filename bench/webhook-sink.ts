/**
 * A receiver of webhooks in a process of its own: /ok/… answers at once, /hang/… never does. What it saw is told to
 * the parent on request.
 */
import { createServer, type IncomingMessage } from "node:http";

export interface SinkReport {
  readonly port: number;
  /** Whole requests to /ok/…, since the last reset. */
  readonly arrived: number;
  /** Milliseconds from `sentAt` in the body to its arrival, where the body has one. */
  readonly delaysMs: readonly number[];
}

let arrived = 0;
let delaysMs: number[] = [];

const sentAt = /"sentAt":(\d+)/;

function read(request: IncomingMessage, done: () => void): void {
  let body = "";
  request.setEncoding("latin1");
  request.on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    const moment = sentAt.exec(body)?.[1];
    if (moment !== undefined) delaysMs.push(Date.now() - Number(moment));
    done();
  });
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url?.startsWith("/ok/") !== true) return void request.resume();
  read(request, () => {
    arrived += 1;
    response.writeHead(200, { "content-length": "2" }).end("ok");
  });
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.on("message", (word) => {
    if (word === "reset") [arrived, delaysMs] = [0, []];
    process.send?.({ port, arrived, delaysMs } satisfies SinkReport);
  });
  process.send?.({ port, arrived, delaysMs } satisfies SinkReport);
});
process.on("disconnect", () => process.exit(0));
