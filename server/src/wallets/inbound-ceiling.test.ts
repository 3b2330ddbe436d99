import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { createInboundApp } from "../../testing/providers/inbound-app.ts";
import { asOwner } from "../../testing/work.ts";
import { kobo } from "../money/kobo.ts";
import { placeWaiting } from "./assign-suspense.ts";
import { judgeAmount, startingCeiling } from "./inbound-ceiling.ts";

const app = await createInboundApp();
const { open, hook, follow, balance, books, operate, suspense, verify, db, ownerUrl } = app;
const path = "/operator/inbound-ceilings";

/** In naira. */
const setCeilings = async (perCredit: number, perDay: number) => {
  const reply = await operate("PUT", path, { perCredit, perDay, reason: "Board decision of 3 November" });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data;
};
/** Amounts in kobo, all at once. */
async function receive(accountNumber: string, ...amounts: readonly number[]): Promise<void> {
  const credits = amounts.map((amount) => books.payIn(accountNumber, amount));
  for (const credit of credits) await hook(credit);
  await Promise.all(credits.map(() => follow()));
  await follow();
}
const waiting = async (accountNumber: string) =>
  (await suspense("?state=open&limit=100")).filter((item) => item["accountNumber"] === accountNumber);
const assign = (id: unknown, accountId: string) =>
  operate("POST", `/operator/suspense/${id}/assign`, { accountId, reason: "Seen at the provider" });
/** Everything that was counted so far was so many days ago. */
const passDays = (days: number) =>
  asOwner(ownerUrl, `update inbound_credits set counted_on = counted_on - ${days} where counted_on is not null`);

describe("an amount", () => {
  const ceiling = { perCredit: kobo(100n), perDay: kobo(250n) };
  test.each([
    [100n, 0n, null],
    [101n, 0n, "credit_ceiling"],
    [100n, 150n, null],
    [100n, 151n, "daily_ceiling"],
    [101n, 250n, "credit_ceiling"],
    [1n, 250n, "daily_ceiling"],
  ] as const)("of %i after %i of the day: %s", (amount, countedToday, reason) => {
    expect(judgeAmount(ceiling, { amount: kobo(amount), countedToday: kobo(countedToday) })).toBe(reason);
  });
});

describe("the ceilings of incoming money", () => {
  test("are those of the start until an operator sets others, which the trail tells", async () => {
    const { perCredit, perDay } = startingCeiling;
    const start = { perCredit: Number(perCredit) / 100, perDay: Number(perDay) / 100, reason: null, setAt: null };
    expect((await operate("GET", path)).json().data).toEqual(start);
    const { id, accountNumber } = await open();
    await receive(accountNumber, Number(perCredit), Number(perCredit) + 1, 99_999_999_999_999);
    expect(await balance(id)).toBe(Number(perCredit));
    expect((await waiting(accountNumber)).map(({ reason }) => reason)).toEqual(["credit_ceiling", "credit_ceiling"]);
    const set = await setCeilings(20_000_000.5, 500_000_000);
    expect(set).toMatchObject({ perCredit: 20_000_000.5, perDay: 500_000_000, setAt: expect.any(String) });
    expect((await operate("GET", path)).json().data).toEqual(set);
    expect((await operate("GET", "/operator/audit?limit=1")).json().data).toMatchObject([
      { action: "inbound_ceiling.set", detail: { perCredit: "20000000.50", perDay: "500000000.00" } },
    ]);
    expect(await verify()).toEqual([]);
  });

  test("of a day are not below those of a credit, and no merchant sets them", async () => {
    const figures = { perCredit: 100, perDay: 99.99, reason: "A slip" };
    const reply = await operate("PUT", path, figures);
    expect([reply.statusCode, reply.json().errors]).toMatchObject([422, [{ field: "perDay" }]]);
    for (const wrong of [{ perCredit: 0 }, { perDay: 1e12 }, { reason: " " }, { perCredit: 0.001 }]) {
      expect((await operate("PUT", path, { ...figures, perDay: 200, ...wrong })).statusCode).toBe(422);
    }
    expect((await app.callLive("PUT", path, figures)).statusCode).toBe(401);
  });
});

describe("money above the ceilings", () => {
  beforeEach(() => setCeilings(1_000, 2_500));

  test("of a day waits, though many credits come at once, and an operator's word uses nothing up", async () => {
    const { id, accountNumber } = await open();
    await receive(accountNumber, ...Array<number>(6).fill(60_000));
    expect(await balance(id)).toBe(240_000);
    const items = await waiting(accountNumber);
    expect(items.map(({ reason }) => reason)).toEqual(["daily_ceiling", "daily_ceiling"]);
    expect((await assign(items[0]?.["id"], id)).statusCode).toBe(200);
    expect(await balance(id)).toBe(300_000);
    await receive(accountNumber, 10_000);
    await receive(accountNumber, 1);
    expect(await balance(id)).toBe(310_000);
    await passDays(1);
    await receive(accountNumber, 100_000);
    expect(await balance(id)).toBe(410_000);
    const other = await open();
    await receive(other.accountNumber, 100_000);
    expect(await balance(other.id)).toBe(100_000);
    expect(await verify()).toEqual([]);
  });

  test("does not go to its wallet by itself when that is opened afterwards", async () => {
    books.assignsLater = true;
    const id = await app.order();
    await app.takeUp(id);
    books.assign();
    books.assignsLater = false;
    const number = books.accounts.find(({ customer }) => customer.email.includes(id))?.number ?? "";
    await receive(number, 90_000, 100_001, 90_000, 90_000);
    await app.takeUp(id);
    await Promise.all([placeWaiting(db), placeWaiting(db)]);
    expect(await balance(id)).toBe(180_000);
    expect((await waiting(number)).map(({ reason }) => reason).sort()).toEqual(["credit_ceiling", "daily_ceiling"]);
    // Nobody looks at them again and again.
    expect(await placeWaiting(db)).toBe(0);
    expect(await verify()).toEqual([]);
  });

  test("in a wallet is named by verify", async () => {
    const { id, accountNumber } = await open();
    await receive(accountNumber, 80_000, 90_000);
    await passDays(5);
    await receive(accountNumber, 10_000);
    const day = (plant: string) =>
      asOwner(ownerUrl, `update inbound_credits set ${plant} where wallet_id = '${id}' and amount > 10000`);
    const raise = (amount: string) => day(`amount = amount + ${amount}`);
    expect(await verify()).toEqual([]);
    // On that day the ceilings were those of the start.
    await raise("10000000000");
    const checks = async () => (await verify()).map(({ check }) => check).filter((check) => check.includes("ceiling"));
    expect(await checks()).toEqual(["inbound credit is below the ceiling"]);
    await raise("90000000000");
    expect(await checks()).toEqual([
      "inbound credit is below the ceiling",
      "inbound credits of a day are below the ceiling",
    ]);
    await raise("-100000000000");
    await day("counted_on = counted_on + 5");
    expect(await verify()).toEqual([]);
  });
});

type Step =
  | { readonly does: "receive"; readonly amounts: readonly number[] }
  | { readonly does: "assign"; readonly which: number }
  | { readonly does: "set"; readonly perCredit: number; readonly more: number }
  | { readonly does: "wait"; readonly days: number };

const amount = fc.integer({ min: 1, max: 1_500 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("receive"), amounts: fc.array(amount, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("assign"), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("set"), perCredit: amount, more: fc.nat(3_000) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("wait"), days: fc.integer({ min: 1, max: 3 }) }) },
) as fc.Arbitrary<Step>;

test("whatever comes in whatever order, no wallet's day has more by itself than the ceilings let through", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      await setCeilings(10, 20);
      let ceiling = { perCredit: 1_000, perDay: 2_000 };
      const { id, accountNumber } = await open();
      let [all, today, assigned] = [0, 0, 0];
      for (const one of steps) {
        if (one.does === "set") {
          ceiling = { perCredit: one.perCredit, perDay: one.perCredit + one.more };
          await setCeilings(ceiling.perCredit / 100, ceiling.perDay / 100);
        } else if (one.does === "wait") {
          await passDays(one.days);
          today = 0;
        } else if (one.does === "assign") {
          const items = await waiting(accountNumber);
          const item = items[one.which % Math.max(1, items.length)];
          if (item === undefined) continue;
          expect((await assign(item["id"], id)).statusCode).toBe(200);
          assigned += Math.round(Number(item["amount"]) * 100);
        } else {
          const before = (await balance(id)) - assigned;
          await receive(accountNumber, ...one.amounts);
          all += one.amounts.reduce((sum, each) => sum + each, 0);
          const booked = (await balance(id)) - assigned - before;
          today += booked;
          if (booked > 0) expect(today).toBeLessThanOrEqual(ceiling.perDay);
          const fitting = one.amounts.filter((each) => each <= ceiling.perCredit);
          expect(booked).toBeLessThanOrEqual(fitting.reduce((sum, each) => sum + each, 0));
          // What fits whole is let through whole.
          const whole = fitting.reduce((sum, each) => sum + each, today - booked);
          if (whole <= ceiling.perDay) expect(today).toBe(whole);
        }
        const left = (await waiting(accountNumber)).reduce(
          (sum, item) => sum + Math.round(Number(item["amount"]) * 100),
          0,
        );
        expect((await balance(id)) + left).toBe(all);
      }
      expect(await verify()).toEqual([]);
    }),
    { numRuns: 8 },
  );
});
