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

/** Of the quietest of several requests: now and then one also refreshes what is remembered, such as a key. */
async function roundTripsOf(request: (turn: number) => ReturnType<typeof call>): Promise<number> {
  const found: number[] = [];
  for (let turn = 1; turn <= 5; turn += 1) {
    const before = held.line?.roundTrips() ?? 0;
    const reply = await request(turn);
    expect(reply.statusCode, reply.body).toBe(201);
    found.push((held.line?.roundTrips() ?? 0) - before);
  }
  return Math.min(...found);
}

test.each([
  ["without an Idempotency-Key", false, 4],
  ["with an Idempotency-Key", true, 5],
])("a payout %s", async (_, keyed, most) => {
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 10_000 } });
  const found = await roundTripsOf((turn) => {
    const reference = `trip-${keyed}-${turn}`;
    const body = { accountNumber: "0123456789", bankCode: "058", amount: 100, currency: "NGN", reference };
    return call("POST", "/transfers", { body, headers: keyed ? { "idempotency-key": reference } : {} });
  });
  expect(found).toBeLessThanOrEqual(most);
});

test("a loan request", async () => {
  const found = await roundTripsOf((turn) =>
    call("POST", "/loans/create", { body: application, headers: { "idempotency-key": `loan-${turn}` } }),
  );
  expect(found).toBeLessThanOrEqual(8);
});
