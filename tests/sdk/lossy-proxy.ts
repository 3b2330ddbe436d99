/** Stands before a server, hands every request on, and loses replies: what was asked is done, and nobody hears of it. */
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface LossyProxy {
  readonly baseUrl: string;
  /** The replies to the next requests are lost. */
  lose(count: number): void;
  /** The reply to the next such request, `POST /transfers`, never comes. Resolves when the server has sent it. */
  keepBack(request: string): Promise<void>;
  /** How many requests reached the server. */
  passed(): number;
}

export async function createLossyProxy(target: string): Promise<LossyProxy> {
  let toLose = 0;
  let passed = 0;
  let kept: { readonly request: string; readonly resolve: () => void } | undefined;
  const server = createServer((near, reply) => {
    passed += 1;
    const { method, url, headers } = near;
    const far = send(`${target}${url}`, { method, headers }, (answer) => {
      if (toLose > 0) {
        toLose -= 1;
        // The server has finished: its work is committed before it replies.
        answer.resume().once("end", () => reply.destroy());
        return;
      }
      if (kept?.request === `${method} ${url}`) {
        answer.resume().once("end", kept.resolve);
        kept = undefined;
        return;
      }
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(reply);
    });
    near.pipe(far);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (count) => {
      toLose = count;
    },
    keepBack: (request) =>
      new Promise((resolve) => {
        kept = { request, resolve };
      }),
    passed: () => passed,
  };
}
