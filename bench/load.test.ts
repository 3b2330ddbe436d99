import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { load, requestBytes } from "./load.ts";

const ok = "HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok";

/** A server that knows just enough; `reply` writes what it wants, whole or in pieces. */
async function serve(reply: (socket: Socket, number: number) => void): Promise<number> {
  let seen = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => reply(socket, seen++));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** So many requests at most: the time is only there to end what hangs. */
function turns(count: number): () => Promise<boolean> {
  let left = count;
  return async () => left-- > 0;
}
const next = () => requestBytes("GET", "/healthz", "sk_test_1");
const patient = { seconds: 60, next };

test("counts every reply by its status, over all connections", async () => {
  const port = await serve((socket, number) =>
    socket.write(number % 4 === 3 ? ok.replace("201 Created", "503 Busy") : ok),
  );
  const result = await load({ ...patient, port, connections: 3, turn: turns(20) });
  expect(result.requests).toBe(20);
  expect(result.statuses).toEqual({ "201": 15, "503": 5 });
  expect(result.perSecond).toBeGreaterThan(0);
  expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms);
});

test("a reply in pieces is one reply", async () => {
  const port = await serve((socket) => {
    socket.write(ok.slice(0, 20));
    setImmediate(() => socket.write(ok.slice(20, -1)));
    setImmediate(() => setImmediate(() => socket.write(ok.slice(-1))));
  });
  const result = await load({ ...patient, port, connections: 1, turn: turns(3) });
  expect(result.statuses).toEqual({ "201": 3 });
});

test("a server that closes a connection ends the measurement with a word, and not with a wait for ever", async () => {
  const port = await serve((socket, number) => (number < 2 ? socket.write(ok) : socket.end()));
  await expect(load({ ...patient, port, connections: 1 })).rejects.toThrow("closed a connection");
});

test("nobody at the port is an error", async () => {
  const port = await serve(() => undefined);
  await expect(load({ ...patient, port: port === 1 ? 2 : 1, connections: 1 })).rejects.toThrow("ECONNREFUSED");
});

test.each([
  ["GET", "", ["GET /x HTTP/1.1", "Host: localhost", "Authorization: Bearer k", "", ""]],
  [
    "POST",
    '{"name":"Adébáyọ̀"}',
    [
      "POST /x HTTP/1.1",
      "Host: localhost",
      "Authorization: Bearer k",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength('{"name":"Adébáyọ̀"}')}`,
      "",
      '{"name":"Adébáyọ̀"}',
    ],
  ],
])("the bytes of a %s with the body %j", (method, body, lines) => {
  expect(requestBytes(method, "/x", "k", body).toString().split("\r\n")).toEqual(lines);
});
