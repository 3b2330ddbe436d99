import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createTestApp, type TestApp } from "../../../../testing/app.ts";
import { oddRoutes } from "../../../../testing/platform/routes.ts";

const arrived = Promise.withResolvers<void>();
const release = Promise.withResolvers<void>();
const wait = (): Promise<void> => {
  arrived.resolve();
  return release.promise;
};
const testing: TestApp = await createTestApp({ extraRoutes: oddRoutes(() => testing.db, wait) });

test("closing finishes the request in flight, ends its connection and takes no new one", async () => {
  await testing.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = testing.app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const options = {
    port,
    path: "/odd/wait",
    agent,
    headers: { authorization: `Bearer ${testing.merchant.secretKey}` },
  };
  const reply = once(get(options), "response") as Promise<[IncomingMessage]>;
  await arrived.promise;

  const closed = testing.app.close();
  await expect(once(get({ port, path: "/healthz", agent: new Agent() }), "response")).rejects.toMatchObject({
    code: "ECONNREFUSED",
  });
  release.resolve();
  const [response] = await reply;
  response.resume();
  expect([response.statusCode, response.headers.connection]).toEqual([200, "close"]);
  await closed;
  agent.destroy();
});
