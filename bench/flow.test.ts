/** The accounting of whole lives: what counts as sent, as ended, and from when a delay is measured. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { accept, type FlowOptions, flow } from "./flow.ts";
import { requestBytes } from "./load.ts";
import type { Payer } from "./payers.ts";
import type { Sink } from "./receivers.ts";
import type { Trade } from "./trades.ts";

const payer: Payer = { environmentId: "e", key: "k", mainWallet: "w", wallets: [] };

/** A server that takes every order, and a sink at which each arrives when the world says so. */
async function world({ status = 201, lateMs = 0, perRequest = 1 } = {}) {
  const seen = { dueAt: [] as number[], delaysMs: [] as number[], atMs: [] as number[], most: 0, taken: 0 };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const due = Number(new URL(request.url ?? "", "http://x").searchParams.get("due"));
      seen.dueAt.push(due);
      seen.taken += perRequest;
      seen.most = Math.max(seen.most, seen.taken - seen.atMs.length);
      response.writeHead(status, { "content-length": "2" }).end("ok");
      setTimeout(() => {
        for (let order = 0; order < perRequest; order += 1) {
          seen.atMs.push(Date.now());
          seen.delaysMs.push(Date.now() - due);
        }
      }, lateMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const sink: Sink = {
    port,
    processId: 0,
    arrived: () => seen.atMs.length,
    report: async () => ({ port, arrived: seen.atMs.length, delaysMs: seen.delaysMs, atMs: seen.atMs, hanging: 0 }),
    close: () => undefined,
  };
  const trade: Trade = {
    table: "transfers",
    event: "transfer.completed",
    perRequest,
    inFlight: 4 * perRequest,
    connections: 8,
    request: ({ key }, due) => requestBytes("POST", `/orders?due=${due}`, key),
  };
  const options: FlowOptions = { port, trade, payers: [payer], seconds: 60, atMost: 40 };
  return { seen, sink, options };
}

test("every order is waited for, and counted once, also those of a request that makes several", async () => {
  const { sink, options } = await world({ perRequest: 5, lateMs: 1 });
  const result = await flow(options, sink, "closed");
  expect(result.accepted).toBe(200);
  expect(result.tenths.reduce((sum, rate) => sum + (rate * result.seconds) / 10, 0)).toBeGreaterThan(150);
});

test("a closed loop never has more under way than it may", async () => {
  const { seen, sink, options } = await world({ lateMs: 2 });
  await flow(options, sink, "closed");
  expect(seen.most).toBeLessThanOrEqual(options.trade.inFlight);
});

test("an open loop counts from when a request was due: evenly, whatever the server does meanwhile", async () => {
  const { seen, sink, options } = await world({ lateMs: 30 });
  await flow(options, sink, 1_000);
  const due = [...seen.dueAt].sort((one, other) => one - other);
  const gaps = due.slice(1).map((at, place) => at - (due[place] ?? 0));
  for (const gap of gaps) expect(gap).toBeCloseTo(1, 5);
  expect(Math.min(...seen.delaysMs)).toBeGreaterThanOrEqual(29);
});

test("accepting alone counts orders, and needs no sink", async () => {
  const { options } = await world({ perRequest: 5 });
  expect(await accept({ ...options, atMost: 10 })).toMatchObject({ accepted: 50 });
});

test("a refused order spoils the measurement, and says how many there were", async () => {
  const { sink, options } = await world({ status: 422 });
  await expect(flow({ ...options, atMost: 3 }, sink, "closed")).rejects.toThrow('unexpected answers: {"422":3}');
});

test("without anybody who pays there is nothing to measure", async () => {
  const { sink, options } = await world();
  await expect(flow({ ...options, payers: [] }, sink, "closed")).rejects.toThrow("nobody pays");
});
