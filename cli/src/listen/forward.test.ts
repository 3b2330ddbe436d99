import { createHmac } from "node:crypto";
import { getEventListeners, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { forward } from "./forward.ts";

const key = Buffer.alloc(24, 7);
const secret = `whsec_${key.toString("base64")}`;
const event = { id: "evt_1", event: "transfer.completed", data: { narration: "Adébáyọ̀ <b>" } };

interface Came {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An application that replies by number of the request, and the listener's own end. */
async function application(reply: (response: ServerResponse, number: number) => void) {
  const came: Came[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    came.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    reply(response, came.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const stop = new AbortController();
  const away: string[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const told: string[] = [];
  const refusals = {
    inARow: 0,
    pausing: (status: number) => void told.push(`paused at ${status}`),
    goingOn: () => void told.push("going on"),
  };
  const options = { url, secret, stopped: stop.signal, away: (why: string) => void away.push(why), refusals };
  const close = () => new Promise((done) => server.close(done));
  return { came, away, stop, options, close, told };
}
const replyWith = (status: number) => (response: ServerResponse) => void response.writeHead(status).end("said");

test("an event is sent as Jara sends it: the same body, and a signature that the secret proves", async () => {
  const { came, options } = await application(replyWith(200));
  expect(await forward(event, options)).toEqual({ status: 200, tookMs: expect.any(Number) });
  const { headers, body = "" } = came[0] ?? {};
  expect(JSON.parse(body)).toEqual(event);
  const signed = `${headers?.["webhook-id"]}.${headers?.["webhook-timestamp"]}.${body}`;
  expect(headers?.["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  expect(headers?.["content-type"]).toBe("application/json");
});

test.each([302, 400, 500])(
  "an application that says %d is asked three times, and then its word stands",
  async (status) => {
    const { came, away, options } = await application(replyWith(status));
    expect(await forward(event, options)).toMatchObject({ status });
    expect(came).toHaveLength(3);
    expect(new Set(came.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(["evt_1"]));
    expect(away).toEqual([]);
  },
);

test("after ten refusals in a row an event is held until it is taken, and that is told once", async () => {
  const { came, options, told } = await application((response, number) => replyWith(number <= 3 ? 500 : 200)(response));
  options.refusals.inARow = 7;
  expect(await forward(event, options)).toMatchObject({ status: 200 });
  expect([came.length, told, options.refusals.inARow]).toEqual([4, ["paused at 500", "going on"], 0]);
});

test("one that thinks better of it is not asked again", async () => {
  const { came, options } = await application((response, number) => replyWith(number === 1 ? 503 : 204)(response));
  expect(await forward(event, options)).toMatchObject({ status: 204 });
  expect(came).toHaveLength(2);
});

test("one that hangs up is away: that is told once, and does not count as a refusal", async () => {
  const { came, away, options } = await application((response, number) =>
    number < 3 ? void response.destroy() : replyWith(200)(response),
  );
  expect(await forward(event, options)).toMatchObject({ status: 200 });
  expect(came).toHaveLength(3);
  expect(away).toHaveLength(1);
});

test("where nothing listens, that is said in words", async () => {
  const { away, stop, options, close } = await application(replyWith(200));
  await close();
  const waiting = forward(event, options);
  await expect.poll(() => away).toEqual(["nothing listens there"]);
  stop.abort();
  expect(await waiting).toEqual({ status: null, tookMs: 0 });
});

test("who is stopped before sends nothing", async () => {
  const { came, stop, options } = await application(replyWith(200));
  stop.abort();
  expect(await forward(event, options)).toEqual({ status: null, tookMs: 0 });
  expect(came).toEqual([]);
});

test("who is stopped in the middle lets the application finish", async () => {
  const { stop, options } = await application((response) => {
    stop.abort();
    replyWith(200)(response);
  });
  expect(await forward(event, options)).toMatchObject({ status: 200 });
});

test("a thousand events later nothing of them is left with the listener", async () => {
  const { stop, options } = await application(replyWith(200));
  for (let number = 0; number < 5; number += 1) await forward(event, options);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});
