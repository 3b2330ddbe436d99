/** A server that takes webhooks and keeps what an adapter reads in each. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { HookRequest } from "../../src/rails/provider.ts";
import { readRequest } from "./twin-wire.ts";

export interface HookReceiver {
  readonly url: string;
  /** What was read, in the order of arrival. */
  readonly read: readonly unknown[];
  close(): Promise<void>;
}

export async function receiveHooks(read: (request: HookRequest) => unknown): Promise<HookReceiver> {
  const seen: unknown[] = [];
  const server = createServer(async (message, reply) => {
    const { raw, headers } = await readRequest(message);
    seen.push(read({ body: raw, headers }));
    reply.writeHead(200).end("{}");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    read: seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
