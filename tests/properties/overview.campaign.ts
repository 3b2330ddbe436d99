/** Random flows of money in one sandbox: every step of the overview is the sum of the statement cut at its ends. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createBorrowingApp } from "../../server/testing/checkout/borrowers.ts";
import { application } from "../../server/testing/lending/loans.ts";

const app = await createBorrowingApp();
const { call } = app;

let made = 0;
const fresh = (end = "") => {
  made += 1;
  return `flow-${made}${end}`;
};

async function ask(path: string, body: object): Promise<Record<string, string>> {
  const reply = await call("POST", path, { body });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json().data;
}

const ending = fc.constantFrom("", "_FAIL", "_REVERSE", "_PENDING");
const flow = fc.oneof(
  fc.record({ does: fc.constant("fund" as const), amount: fc.integer({ min: 1, max: 9_999_99 }) }),
  fc.record({ does: fc.constant("pay" as const), amount: fc.integer({ min: 100_00, max: 5_000_00 }), ending }),
  fc.record({ does: fc.constant("vend" as const), amount: fc.integer({ min: 50, max: 900 }), ending }),
  fc.record({ does: fc.constant("lend" as const) }),
  fc.record({ does: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 4_000 }) }),
);
type Flow = typeof flow extends fc.Arbitrary<infer T> ? T : never;

/** Kobo as naira, digit by digit. */
const naira = (kobo: number) => Number(`${Math.trunc(kobo / 100)}.${String(kobo % 100).padStart(2, "0")}`);
const koboOf = (amount: number) => Math.round(amount * 100);

async function play(step: Flow): Promise<void> {
  if (step.does === "fund") await ask("/sandbox/wallets/fund", { amount: naira(step.amount) });
  if (step.does === "wait") await app.advance({ seconds: step.minutes * 60 });
  if (step.does === "lend") await ask("/loans/create", application);
  if (step.does === "pay") {
    const payout = { accountNumber: "0690000032", bankCode: "044", amount: naira(step.amount), currency: "NGN" };
    await ask("/transfers", { ...payout, reference: fresh(step.ending) });
  }
  if (step.does === "vend") {
    const airtime = { network: "MTN", phoneNumber: "08031234567", amount: step.amount };
    await ask("/bills/airtime/vend", { ...airtime, reference: fresh(step.ending) });
  }
}

interface Step {
  readonly at: string;
  readonly moneyIn: number;
  readonly moneyOut: number;
}

/** From the pages of the statement, in kobo. */
async function sumStatement(from: string, to: string): Promise<{ in: number; out: number }> {
  const sums = { in: 0, out: 0 };
  for (let page = 1; ; page += 1) {
    const query = `from=${from}&to=${to}&limit=100&page=${page}`;
    const { data, pagination } = (await call("GET", `/wallets/transactions?${query}`)).json();
    for (const { direction, amount } of data) sums[direction === "credit" ? "in" : "out"] += koboOf(amount);
    if (page >= pagination.totalPages) return sums;
  }
}

const stepMs = { hour: 3_600_000, day: 86_400_000 } as const;
const later = (at: string, by: "hour" | "day") => new Date(Date.parse(at) + stepMs[by]).toISOString();

async function holdAgainstStatement(by: "hour" | "day"): Promise<void> {
  const { wallet, from, to } = (await call("GET", `/overview?by=${by}`)).json().data;
  const { available, held } = (await call("GET", "/wallets/balance")).json().data;
  expect([wallet.available, wallet.held]).toEqual([available, held]);
  const whole = await sumStatement(from, to);
  expect([koboOf(wallet.moneyIn), koboOf(wallet.moneyOut)]).toEqual([whole.in, whole.out]);
  for (const { at, moneyIn, moneyOut } of (wallet.steps as Step[]).filter((step) => step.moneyIn + step.moneyOut > 0)) {
    const end = later(at, by) < to ? later(at, by) : to;
    const cut = await sumStatement(at < from ? from : at, end);
    expect([at, koboOf(moneyIn), koboOf(moneyOut)]).toEqual([at, cut.in, cut.out]);
  }
}

test("what came and went agrees with the statement to the kobo, by the day and by the hour", {
  timeout: 240_000,
}, async () => {
  await ask("/sandbox/wallets/fund", { amount: 900_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(flow, { minLength: 5, maxLength: 15 }), async (flows) => {
      for (const step of flows) await play(step);
      await app.advance({ seconds: 1 });
      await holdAgainstStatement("day");
      await holdAgainstStatement("hour");
    }),
    { numRuns: 8 },
  );
  const { payouts } = (await call("GET", "/overview?from=2026-11-01&to=2027-01-15")).json().data;
  const listed = (await call("GET", "/transfers?limit=1")).json().pagination.totalItems;
  expect(payouts.count).toBe(listed);
});
