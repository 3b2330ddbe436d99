/** How often a request waits for PostgreSQL: with a database in another zone, each time costs milliseconds. */
import { expect, test } from "vitest";
import { createTestApp } from "../testing/app.ts";
import { application } from "../testing/lending/loans.ts";
import { createSlowLine, type SlowLine } from "../testing/platform/slow-line.ts";

/** Longer than the server needs between two statements of one journey. */
const latencyMs = 40;

const held: { line?: SlowLine } = {};
const { call } = await createTestApp({
  requestLogDays: 0,
  reach: async (url) => {
    held.line = await createSlowLine(url, latencyMs);
    return held.line.url;
  },
});

/**
 * The fewest round trips of up to 20 requests, until one needs no more than `most`. A request may need more: now and
 * then it also refreshes what is remembered, such as a key, and on a busy machine the server may stand still between
 * two statements for longer than the latency.
 */
async function fewestRoundTrips(most: number, request: (turn: number) => ReturnType<typeof call>): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let turn = 1; turn <= 20 && fewest > most; turn += 1) {
    const before = held.line?.roundTrips() ?? 0;
    const reply = await request(turn);
    expect(reply.statusCode, reply.body).toBe(201);
    fewest = Math.min(fewest, (held.line?.roundTrips() ?? 0) - before);
  }
  return fewest;
}

test.each([
  ["without an Idempotency-Key", false, 4],
  ["with an Idempotency-Key", true, 5],
])("a payout %s", async (_, keyed, most) => {
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 10_000 } });
  const found = await fewestRoundTrips(most, (turn) => {
    const reference = `trip-${keyed}-${turn}`;
    const body = { accountNumber: "0123456789", bankCode: "058", amount: 100, currency: "NGN", reference };
    return call("POST", "/transfers", { body, headers: keyed ? { "idempotency-key": reference } : {} });
  });
  expect(found).toBeLessThanOrEqual(most);
});

test("a loan request", async () => {
  const most = 8;
  const found = await fewestRoundTrips(most, (turn) =>
    call("POST", "/loans/create", { body: application, headers: { "idempotency-key": `loan-${turn}` } }),
  );
  expect(found).toBeLessThanOrEqual(most);
});
