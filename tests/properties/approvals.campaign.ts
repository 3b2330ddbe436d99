/**
 * Maker and checker against a model, over random sequences: people pay, ask, agree, say no, limits move, time passes.
 * Whatever the order, nobody pays more alone than the limit of the moment lets them, and every approved order is paid
 * once, as it was asked for, by somebody else.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { verifyApprovals } from "../../server/src/approvals/verify-approvals.ts";
import { verifyLedger } from "../../server/src/ledger/verify.ts";
import { readEnvironment } from "../../server/src/platform/database/database.ts";
import { signIn, type Visitor } from "../../server/testing/console.ts";
import { createPayingApp, freshReference } from "../../server/testing/payments/paying-app.ts";

const testing = await createPayingApp();
const { call, db, merchant } = testing;

const who = fc.nat(2);
const amount = fc.integer({ min: 100, max: 60_000 });
const step = fc.oneof(
  fc.record({ does: fc.constant("pay" as const), who, amount }),
  fc.record({ does: fc.constant("ask" as const), who, amount }),
  fc.record({ does: fc.constant("approve" as const), who, which: fc.nat(9) }),
  fc.record({ does: fc.constant("reject" as const), who, which: fc.nat(9) }),
  fc.record({ does: fc.constant("limit" as const), amount: fc.option(fc.integer({ min: 0, max: 100_000 })) }),
  fc.record({ does: fc.constant("wait" as const), hours: fc.constantFrom(1, 12, 25, 169) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Asked {
  readonly id: string;
  readonly by: number;
  readonly amount: number;
  readonly reference: string;
  readonly at: number;
  end: "waiting" | "approved" | "rejected";
}

const hour = 3_600_000;
let round = 0;

const order = (naira: number) => ({
  accountNumber: "0690000032",
  bankCode: "044",
  amount: naira,
  currency: "NGN",
  reference: freshReference(),
});

/** Three who have not paid anything yet; the first may set limits. */
async function gather(): Promise<(n: number) => Visitor> {
  round += 1;
  const roles = ["owner", "finance", "finance"] as const;
  const people = await Promise.all(
    roles.map((role, n) => signIn(testing, { email: `person-${round}-${n}@example.com`, role })),
  );
  return (n) => {
    const found = people[n];
    if (found === undefined) throw new Error("there are three people");
    return found;
  };
}

async function checkEnds(asked: readonly Asked[]): Promise<void> {
  for (const { reference, amount: wanted, end } of asked) {
    const found = await call("GET", `/transfers/verify?reference=${reference}`);
    if (end === "approved") expect(found.json().data).toMatchObject({ amount: wanted });
    else expect(found.statusCode).toBe(404);
  }
  expect(await readEnvironment(db, merchant.environment.id, verifyApprovals)).toEqual([]);
}

async function play(steps: readonly Step[]): Promise<void> {
  const person = await gather();
  await person(0).call("PUT", "/approval-limits", { amount: null });
  let limit: number | null = null;
  let now = 0;
  const paid: { readonly by: number; readonly amount: number; readonly at: number }[] = [];
  const asked: Asked[] = [];
  const act = async (one: Step): Promise<void> => {
    if (one.does === "wait") {
      now += one.hours * hour;
      await call("POST", "/sandbox/clock/advance", { body: { seconds: one.hours * 3_600 } });
    } else if (one.does === "limit") {
      limit = one.amount;
      expect((await person(0).call("PUT", "/approval-limits", { amount: limit })).statusCode).toBe(200);
    } else if (one.does === "pay") {
      const lately = paid.filter(({ by, at }) => by === one.who && at > now - 24 * hour);
      const fits = limit === null || lately.reduce((sum, { amount: each }) => sum + each, one.amount) <= limit;
      const { statusCode } = await person(one.who).call("POST", "/transfers", order(one.amount));
      expect(statusCode).toBe(fits ? 201 : 403);
      if (fits) paid.push({ by: one.who, amount: one.amount, at: now });
    } else if (one.does === "ask") {
      const payout = order(one.amount);
      const { id } = (await person(one.who).call("POST", "/approvals", { payout })).json().data;
      const { reference } = payout;
      asked.push({ id, by: one.who, amount: one.amount, reference, at: now, end: "waiting" });
    } else {
      const which = asked[one.which % Math.max(asked.length, 1)];
      if (which === undefined) return;
      const reply = await person(one.who).call(
        "POST",
        `/approvals/${which.id}/${one.does}`,
        one.does === "reject" ? {} : undefined,
      );
      const isOpen = which.end === "waiting" && now - which.at < 168 * hour;
      const may = isOpen && (one.does === "reject" || one.who !== which.by);
      expect(reply.statusCode).toBe(may ? 200 : isOpen ? 403 : 409);
      if (may) which.end = one.does === "reject" ? "rejected" : "approved";
    }
  };
  for (const one of steps) await act(one);
  await checkEnds(asked);
}

test("limits and second persons hold in every order of events", { timeout: 300_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), play), { numRuns: 15 });
  expect(await readEnvironment(db, merchant.environment.id, verifyLedger)).toEqual([]);
});
