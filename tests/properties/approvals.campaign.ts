/**
 * Maker and checker against a model, over random sequences: people pay in every way, ask, agree, say no, limits move,
 * time passes. Whatever the order, nobody takes more out of wallets alone than the limit of the moment lets them, and
 * every approved order is paid once, as it was asked for, by somebody else.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { verifyApprovals } from "../../server/src/approvals/verify-approvals.ts";
import { verifyLedger } from "../../server/src/ledger/verify.ts";
import { readEnvironment } from "../../server/src/platform/database/database.ts";
import { createBorrowingApp } from "../../server/testing/checkout/borrowers.ts";
import { signIn, type Visitor } from "../../server/testing/console.ts";
import { freshReference } from "../../server/testing/payments/paying-app.ts";

const testing = await createBorrowingApp();
const { call, db, merchant } = testing;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 100_000_000 } });

const who = fc.nat(2);
const amount = fc.integer({ min: 100, max: 60_000 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("pay" as const),
      how: fc.constantFrom("payout" as const, "bill" as const, "repayment" as const, "refund" as const),
      who,
      amount,
    }),
  },
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
const ways = new Map<string, number>();
let round = 0;

let accounts = 0;
/** To an account of its own: the same account is not paid the same amount twice in a row by hand. */
const freshAccount = () => {
  accounts += 1;
  return `06900${String(accounts).padStart(5, "0")}`;
};

const order = (naira: number) => ({
  accountNumber: freshAccount(),
  bankCode: "044",
  amount: naira,
  currency: "NGN",
  reference: freshReference(),
});

/** What leaves the wallet in each way. */
function payment(how: (Step & { does: "pay" })["how"], loanId: string, naira: number) {
  const reference = freshReference();
  const loan = `/loans/bnpl/loans/${loanId}`;
  const meter = { provider: "ikeja-electric", meterNumber: "45012345678", meterType: "prepaid" };
  if (how === "payout") return { path: "/transfers", body: order(naira) };
  if (how === "bill") {
    const body = { ...meter, amount: naira, phoneNumber: "08031234567", reference };
    return { path: "/bills/electricity/vend", body };
  }
  return how === "repayment"
    ? { path: `${loan}/repayments`, body: { amount: naira, channel: "wallet", reference } }
    : { path: `${loan}/refund`, body: { amount: naira, reason: "Returned", reference } };
}

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
  await person(0).call("PUT", "/approval-limits", { amount: 50_000 });
  const { loanId } = await testing.lend("linked", { amount: "200000", tenor: 12 });
  let limit: number | null = 50_000;
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
      const { path, body } = payment(one.how, loanId, one.amount);
      const { statusCode } = await person(one.who).call("POST", path, body);
      // A bill or a loan may refuse the amount for its own reasons.
      const codes = one.how === "payout" ? [] : [409, 422];
      expect([fits ? 201 : 403, ...codes]).toContain(statusCode);
      ways.set(`${one.how} ${statusCode}`, (ways.get(`${one.how} ${statusCode}`) ?? 0) + 1);
      if (statusCode === 201) paid.push({ by: one.who, amount: one.amount, at: now });
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
  for (const how of ["payout", "bill", "repayment", "refund"]) {
    for (const status of [201, 403]) expect(ways.get(`${how} ${status}`) ?? 0, `${how} ${status}`).toBeGreaterThan(0);
  }
});
