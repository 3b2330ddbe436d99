/** One message and what came of it, against receivers that answer, stall, lie and vanish. It never throws. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createServer as createRawServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createWebhookClient, type Post } from "./webhook-client.ts";

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

let answering: Answering = (_, response) => response.end();
const seen: { readonly path: string; readonly headers: IncomingMessage["headers"]; body: string }[] = [];
const server = createServer((request, response) => {
  const line = { path: request.url ?? "", headers: request.headers, body: "" };
  seen.push(line);
  request.on("data", (chunk: Buffer) => {
    line.body += chunk.toString();
  });
  request.on("end", () => answering(request, response));
});
let origin = "";
const client = createWebhookClient({ reach: { blocks: [], sandboxLoopback: true }, totalMs: 60_000 });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => seen.splice(0));
afterAll(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const sentAt = new Date("2026-11-03T09:15:00.000Z");
const post = (path = "/hook", change: Partial<Post> = {}): Post => ({
  environment: "SANDBOX",
  url: `${origin}${path}`,
  sentAt,
  headers: { "content-type": "application/json", "webhook-id": "e1" },
  body: '{"event":"transfer.completed"}',
  ...change,
});
const answerWith = (status: number, headers: Record<string, string> = {}, body: string | Buffer = "") => {
  answering = (_, response) => response.writeHead(status, headers).end(body);
};

describe("a message", () => {
  test("arrives as it was handed over: path and query, headers, every byte", async () => {
    answerWith(200, {}, "ok");
    const body = '{"name":"Ọ̀rẹ́ 🙂"}';
    const answer = await client.send(post("/hook/a%20b?shop=1&x=%2F", { body }));
    expect(answer).toMatchObject({ status: 200, body: "ok", error: null, retryAfterMs: null, sentAt });
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
    expect(seen).toEqual([
      { path: "/hook/a%20b?shop=1&x=%2F", headers: expect.objectContaining({ "webhook-id": "e1" }), body },
    ]);
  });

  test.each([200, 201, 202, 204, 299, 400, 401, 404, 410, 418, 422, 429, 500, 503])(
    "that is answered with %i has that status and no error of ours",
    async (status) => {
      answerWith(status);
      expect(await client.send(post())).toMatchObject({ status, error: null });
    },
  );

  test("that is sent as the one before it was answered goes over the same connection", async () => {
    answerWith(200, {}, "ok");
    const connections = new Set<Socket>();
    const note = ({ socket }: IncomingMessage) => connections.add(socket);
    server.on("request", note);
    const own = createWebhookClient({ reach: { blocks: [], sandboxLoopback: true } });
    for (let sent = 0; sent < 20; sent += 1) await own.send(post());
    server.off("request", note);
    await own.close();
    expect(connections.size).toBe(1);
  });

  test.each([301, 302, 307, 308])("that is sent on with %i goes nowhere else, and says so", async (status) => {
    answerWith(status, { location: `${origin}/other` });
    const answer = await client.send(post());
    expect(answer.status).toBe(status);
    expect(answer.error).toMatch(/^Redirects are not followed/);
    expect(seen.map(({ path }) => path)).toEqual(["/hook"]);
  });

  test.each([
    ["30", 30_000],
    ["0", 0],
    ["Tue, 03 Nov 2026 09:16:00 GMT", 60_000],
    ["Tue, 03 Nov 2026 09:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    ["1.5", null],
  ])("that is to be sent again after %j waits for %s ms", async (header, ms) => {
    answerWith(503, { "retry-after": header });
    expect((await client.send(post())).retryAfterMs).toBe(ms);
  });
});

describe("of a reply", () => {
  test("the first 2 KiB are kept", async () => {
    answerWith(500, {}, `${"x".repeat(2_047)}yz`);
    expect((await client.send(post())).body).toBe(`${"x".repeat(2_047)}y`);
  });

  test("a sign that was cut in two does no harm", async () => {
    answerWith(500, {}, `${"x".repeat(2_047)}é`);
    const { body } = await client.send(post());
    expect(body.slice(0, 2_047)).toBe("x".repeat(2_047));
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(2_050);
  });

  test("no NUL is left, which a database would refuse", async () => {
    answerWith(500, {}, "a\0b\0");
    expect((await client.send(post())).body).toBe("ab");
  });

  test("what is compressed stays so: a bomb is not opened", async () => {
    answerWith(200, { "content-encoding": "gzip" }, Buffer.from([0x1f, 0x8b, 0x08, 0x00]));
    expect(await client.send(post())).toMatchObject({ status: 200, error: null });
  });

  test("the status counts, though the rest breaks off", async () => {
    answering = (_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("partly");
      setImmediate(() => response.destroy());
    };
    expect(await client.send(post())).toMatchObject({ status: 200, error: null });
  });
});

describe("without a reply", () => {
  const nothing = { status: null, body: "", retryAfterMs: null };

  test("a receiver that hangs up is told in words", async () => {
    answering = (request) => request.socket.destroy();
    expect(await client.send(post())).toMatchObject({
      ...nothing,
      error: "The connection was closed before an answer came.",
    });
  });

  test("a receiver that is not there is told in words", async () => {
    const probe = createRawServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => probe.once("listening", resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const answer = await client.send(post("", { url: `http://127.0.0.1:${port}/hook` }));
    expect(answer).toMatchObject({ ...nothing, error: "The connection was refused." });
  });

  test("a receiver that says nothing runs out of time", async () => {
    const hasty = createWebhookClient({ reach: { blocks: [], sandboxLoopback: true }, totalMs: 50 });
    answering = () => undefined;
    expect(await hasty.send(post())).toMatchObject({ ...nothing, error: "No answer came within 0.05 seconds." });
    await hasty.close();
  });

  test("a receiver that does not speak HTTP is told, whatever it says", async () => {
    const sockets: Socket[] = [];
    const raw = createRawServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      socket.write("SSH-2.0-OpenSSH_9.7\r\n");
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => raw.once("listening", resolve));
    const { port } = raw.address() as AddressInfo;
    const answer = await client.send(post("", { url: `http://127.0.0.1:${port}/hook` }));
    expect(answer).toMatchObject(nothing);
    expect(answer.error).not.toBe("");
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => raw.close(resolve));
  });

  test.each(["not an address", "http://[::1", "http://127.0.0.1:99999/"])(
    "the address %j is told, not thrown",
    async (url) => {
      const answer = await client.send(post("", { url }));
      expect(answer).toMatchObject(nothing);
      expect(answer.error).toBeTruthy();
    },
  );

  test("a live environment reaches nothing of this machine, and nobody there hears of it", async () => {
    answerWith(200);
    expect(await client.send(post("/hook", { environment: "LIVE" }))).toMatchObject(nothing);
    expect(seen).toEqual([]);
  });
});
