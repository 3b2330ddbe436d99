import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createProviderClient, type ProviderClient, type ProviderClientOptions } from "./provider-client.ts";

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  opened.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientFor(baseUrl: string, options: Omit<ProviderClientOptions, "baseUrl"> = {}): ProviderClient {
  const client = createProviderClient({ baseUrl, ...options });
  opened.push(() => client.close());
  return client;
}

async function against(
  handle: RequestListener,
  options: Omit<ProviderClientOptions, "baseUrl"> = {},
): Promise<ProviderClient> {
  return clientFor(`${await listening(createServer(handle))}/v1/`, options);
}

test("a call is one request with JSON both ways", async () => {
  const seen: unknown[] = [];
  const client = await against(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push([request.method, request.url, request.headers["x-key"], Buffer.concat(chunks).toString()]);
    reply.writeHead(201, { "content-type": "application/json" }).end('{"status":true}');
  });
  const reply = await client.call({
    method: "POST",
    path: "/transfer",
    query: { a: "1 2", none: undefined },
    headers: { "x-key": "k" },
    body: { amount: 5 },
  });
  expect(reply).toMatchObject({ kind: "answer", status: 201, body: { status: true } });
  expect(seen).toEqual([["POST", "/v1/transfer?a=1+2", "k", '{"amount":5}']]);
});

test("a redirect is an answer and is not followed", async () => {
  let requests = 0;
  const client = await against((_, reply) => {
    requests += 1;
    reply.writeHead(307, { location: "/elsewhere" }).end();
  });
  expect(await client.call({ method: "POST", path: "/pay", body: {} })).toMatchObject({ kind: "answer", status: 307 });
  expect(requests).toBe(1);
});

test.each([
  ["HTML", "<html>Bad Gateway</html>"],
  ["nothing", ""],
  ["half a body", '{"status":tr'],
])("%s is an answer without a body", async (_, text) => {
  const client = await against((_request, reply) => reply.writeHead(502).end(text));
  expect(await client.call({ method: "GET", path: "/" })).toMatchObject({
    kind: "answer",
    status: 502,
    body: undefined,
  });
});

test("a server that nobody runs was not sent anything", async () => {
  const server = createTcpServer();
  const address = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  const reply = await clientFor(address).call({ method: "POST", path: "/transfer", body: {} });
  expect(reply).toEqual({ kind: "not_sent", why: "ECONNREFUSED" });
});

test("a name that does not exist was not sent anything", async () => {
  const reply = await clientFor("http://no-such-provider.invalid").call({ method: "GET", path: "/" });
  expect(reply.kind).toBe("not_sent");
});

test.each([
  ["cuts the connection after the request", (socket: Socket) => socket.once("data", () => socket.destroy())],
  [
    "cuts the connection inside the reply",
    (socket: Socket) =>
      socket.once("data", () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"status":true');
        setImmediate(() => socket.destroy());
      }),
  ],
  ["speaks another language", (socket: Socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH\r\n"))],
])("a server that %s gave no answer", async (_, handle) => {
  const sockets = new Set<Socket>();
  const address = await listening(
    createTcpServer((socket) => {
      sockets.add(socket.on("error", () => {}));
      handle(socket);
    }),
  );
  const reply = await clientFor(address).call({ method: "POST", path: "/transfer", body: {} });
  expect(reply.kind).toBe("no_answer");
  for (const socket of sockets) socket.destroy();
});

test("a server that takes too long gave no answer", async () => {
  const client = await against(() => {}, { timeoutMs: 50 });
  expect(await client.call({ method: "POST", path: "/transfer", body: {} })).toEqual({
    kind: "no_answer",
    why: expect.stringMatching(/23|Timeout/i),
  });
});

test("a reply that never ends is not read to its end", async () => {
  const client = await against(
    (_, reply) => {
      reply.writeHead(200);
      const more = setInterval(() => reply.write("x".repeat(1_000)), 1);
      reply.on("close", () => clearInterval(more));
    },
    { maxBytes: 5_000 },
  );
  const reply = await client.call({ method: "GET", path: "/" });
  expect(reply).toEqual({ kind: "no_answer", why: "the reply is longer than 5000 bytes" });
});
