/**
 * A closed-loop load generator on bare sockets: each connection sends its next request when the last one is answered.
 * It does as little as it can, because on a small machine every cycle it spends is taken from the server it measures.
 */
import { connect, type Socket } from "node:net";
import { percentile } from "./report.ts";

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The bytes of the next request. */
  next(): Buffer;
  /** Resolves when the next request may go out, and to false when none shall any more. */
  readonly turn?: () => Promise<boolean>;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly statuses: Readonly<Record<string, number>>;
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const record = (status: string, ms: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    latencies.push(ms);
  };
  const started = performance.now();
  const until = started + options.seconds * 1000;
  await Promise.all(Array.from({ length: options.connections }, () => runConnection(options, until, record)));
  const elapsed = (performance.now() - started) / 1000;
  return {
    requests: latencies.length,
    perSecond: latencies.length / elapsed,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    statuses,
  };
}

function runConnection(
  { port, next, turn }: LoadOptions,
  until: number,
  record: (status: string, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let received = "";
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(next());
    };
    const fail = (error: unknown): void => {
      socket.destroy();
      reject(error);
    };
    const proceed = (): void => {
      if (performance.now() >= until) end(socket, resolve);
      else if (turn === undefined) send();
      else {
        turn()
          .then((more) => (more && performance.now() < until ? send() : end(socket, resolve)))
          .catch(fail);
      }
    };
    socket.on("connect", proceed);
    socket.on("error", reject);
    // After our own end this says nothing any more.
    socket.on("close", () => reject(new Error("the server closed a connection")));
    socket.on("data", (chunk: Buffer) => {
      received = received === "" ? chunk.toString("latin1") : received + chunk.toString("latin1");
      if (!isWhole(received)) return;
      const now = performance.now();
      record(received.slice(9, 12), now - sentAt);
      received = "";
      proceed();
    });
  });
}

function end(socket: Socket, resolve: () => void): void {
  socket.end();
  resolve();
}

function isWhole(response: string): boolean {
  const bodyAt = response.indexOf("\r\n\r\n");
  if (bodyAt < 0) return false;
  const length = /content-length: (\d+)/i.exec(response.slice(0, bodyAt))?.[1];
  return length !== undefined && response.length >= bodyAt + 4 + Number(length);
}

export function requestBytes(method: string, path: string, key: string, body = ""): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    ...(body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
