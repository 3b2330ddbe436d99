/**
 * Stands between the campaign's clients and a server, and swallows one reply in twenty: what was asked is committed,
 * the client gets no answer, and it sends the same request again.
 */
import { once } from "node:events";
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import type { Random } from "./random.ts";

export interface LossyProxy {
  readonly baseUrl: string;
  /** How many successful writes had their reply swallowed. */
  swallowed(): number;
  close(): void;
}

const oneIn = 20;

export async function startLossyProxy(target: string, random: Random): Promise<LossyProxy> {
  let swallowed = 0;
  const answer = (near: IncomingMessage, reply: ServerResponse, found: IncomingMessage): void => {
    const isLost = random.between(1, oneIn) === 1;
    // A client that lost its patience is gone before the answer comes.
    if (reply.destroyed) {
      found.resume();
      return;
    }
    if (!isLost) {
      reply.writeHead(found.statusCode ?? 500, found.headers);
      pipeline(found, reply, () => undefined);
      return;
    }
    // The server has finished: its work is committed before it replies.
    found.resume().once("close", () => reply.destroy());
    if (near.method !== "GET" && found.statusCode !== undefined && found.statusCode < 300) swallowed += 1;
  };
  const server = createServer((near, reply) => {
    const { method, url, headers } = near;
    const far: ClientRequest = send(`${target}${url}`, { method, headers }, (found) => answer(near, reply, found));
    // A server that was killed, or a client that lost its patience.
    far.once("error", () => reply.destroy());
    pipeline(near, far, () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallowed: () => swallowed,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
