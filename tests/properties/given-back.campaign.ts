/**
 * Random lives of loans against a small model: by no way (a wallet by a channel, a charge of a card) does more
 * go back than came, in whatever order repayments, reversals, refunds of credit and refunds of the order happen. And a
 * loan counts as repaid only by what the borrower's own card paid for it and stayed.
 */
import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { readBalances } from "../../server/src/ledger/balance.ts";
import { writeOffLoanAccount } from "../../server/src/lending/account/move-loan-account.ts";
import { reduceLoanAccount } from "../../server/src/lending/collect/reduce-loan-account.ts";
import { bookPromisedRefund, lockRefundable, refundCredit } from "../../server/src/lending/collect/refund-credit.ts";
import { reverseRepayment } from "../../server/src/lending/collect/reverse-repayment.ts";
import type { RepaymentChannel } from "../../server/src/lending/position/repayment.ts";
import type { PromisedRefund } from "../../server/src/lending/position/ways.ts";
import { checkoutCode, findProduct } from "../../server/src/lending/pricing/products.ts";
import { type Kobo, kobo } from "../../server/src/money/kobo.ts";
import { Problem } from "../../server/src/platform/problem.ts";
import { fundWallet } from "../../server/src/wallets/credit-wallet.ts";
import { openSubAccount } from "../../server/src/wallets/open-wallet.ts";
import { mainWalletId } from "../../server/src/wallets/wallet.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createTestLender, naira, type TestLender } from "../../server/testing/lending/lending.ts";
import { readPaidForReal } from "../../server/testing/lending/paid-for-real.ts";

const database = await createTestDatabase();

/** Beyond a thousand thousandths a loan is overpaid. */
const thousandths = fc.integer({ min: 100, max: 1_500 });
const pick = fc.nat(20);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("repay" as const), thousandths, pick }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("refund" as const), thousandths, pick }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("reverse" as const), pick }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("promise" as const), thousandths, pick }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("keep promise" as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("reduce" as const), thousandths }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 45 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("write off" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Paid {
  readonly id: string;
  readonly way: string;
  readonly channel: RepaymentChannel;
  readonly walletId: string | undefined;
  readonly amount: Kobo;
  reversed: boolean;
}

/** What the replies alone allow us to conclude. */
interface Model {
  readonly accountId: string;
  readonly paid: Paid[];
  readonly came: Map<string, bigint>;
  readonly went: Map<string, bigint>;
  /** Promised to a charge and not booked. */
  readonly promises: (PromisedRefund & { readonly id: string; readonly reference: string })[];
  reduced: bigint;
}

const grow = (totals: Map<string, bigint>, way: string, amount: bigint): void =>
  void totals.set(way, (totals.get(way) ?? 0n) + amount);
const part = (amount: bigint, of: number): Kobo => kobo((amount * BigInt(of)) / 1_000n + 1n);

let references = 0;
const fresh = (): string => {
  references += 1;
  return `given-${references}`;
};

interface Place {
  readonly lender: TestLender;
  readonly till: string;
}

const refusals = ["credit_too_small", "refund_channel_mismatch", "repayment_refunded", "invalid_state"];

/** True when it was done, false when it was refused. */
async function accepted(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Problem && refusals.includes(error.code)) return false;
    throw error;
  }
}

async function repay({ lender, till }: Place, model: Model, balance: Kobo, wanted: Step & { does: "repay" }) {
  const ways = [
    { channel: "wallet" },
    { channel: "card" },
    { channel: "wallet", walletId: till },
    { channel: "card" },
    { channel: "cash" },
    { channel: "bank_transfer", walletId: till },
  ] as const;
  const way: { channel: RepaymentChannel; walletId?: string } = ways[wanted.pick % ways.length] ?? { channel: "cash" };
  const amount = part(balance, wanted.thousandths);
  const { repayment } = await lender.repay(model.accountId, amount, { ...way, reference: fresh() });
  const name = way.channel === "card" ? `card ${repayment.id}` : `${way.channel} ${way.walletId ?? ""}`;
  const { channel, walletId } = way;
  model.paid.push({ id: repayment.id, way: name, channel, walletId, amount, reversed: false });
  grow(model.came, name, amount);
}

/** By a way that was taken before, a reversed repayment's too: those are the tempting ones. */
async function refund({ lender }: Place, model: Model, amount: Kobo, from: Paid): Promise<boolean> {
  const { accountId } = model;
  const promised = async () => model.promises;
  const { channel, walletId } = from;
  const card = channel === "card" ? { repaymentId: from.id } : {};
  const command = { accountId, amount, reference: fresh(), channel, walletId, ...card, promised };
  const done = await accepted(lender.within((tx) => refundCredit(tx, { ...command, announce: lender.announce })));
  if (done) grow(model.went, from.way, amount);
  return done;
}

async function promise({ lender }: Place, model: Model, amount: Kobo, from: Paid): Promise<boolean> {
  const wanted = { channel: "card", walletId: null, repaymentId: from.id, amount } as const;
  const promised = async () => model.promises;
  const done = await accepted(
    lender.within((tx) => lockRefundable(tx, { accountId: model.accountId, ...wanted, promised })),
  );
  if (!done) return false;
  const id = await lender.within(async (tx) => tx.environment.clock.newId());
  model.promises.push({ ...wanted, id, reference: fresh() });
  grow(model.went, from.way, amount);
  return true;
}

async function keepPromise({ lender }: Place, model: Model): Promise<boolean> {
  const [made] = model.promises;
  if (made === undefined) return false;
  const { accountId } = model;
  await lender.within((tx) => bookPromisedRefund(tx, { ...made, accountId, announce: lender.announce }));
  model.promises.shift();
  return true;
}

async function reverse({ lender }: Place, model: Model, from: Paid): Promise<boolean> {
  const { accountId } = model;
  const command = { accountId, repaymentId: from.id, reason: "random", promised: async () => model.promises };
  const done = await accepted(lender.within((tx) => reverseRepayment(tx, { ...command, announce: lender.announce })));
  if (!done || from.reversed) return false;
  from.reversed = true;
  grow(model.went, from.way, from.amount);
  return true;
}

async function reduce({ lender }: Place, model: Model, amount: Kobo): Promise<boolean> {
  const command = { accountId: model.accountId, amount, reference: fresh(), reason: "random" };
  const done = await accepted(lender.within((tx) => reduceLoanAccount(tx, { ...command, announce: lender.announce })));
  if (done) model.reduced += amount;
  return done;
}

async function run(place: Place, model: Model, wanted: Step): Promise<boolean> {
  const { lender } = place;
  if (wanted.does === "wait") {
    await lender.clock.advance(lender.environmentId, { days: wanted.days });
    return true;
  }
  const { figures, credit, refundable } = await lender.read(model.accountId);
  if (wanted.does === "repay") return accepted(repay(place, model, figures.balance, wanted));
  if (wanted.does === "keep promise") return keepPromise(place, model);
  if (wanted.does === "write off") {
    const command = { accountId: model.accountId, announce: lender.announce };
    return accepted(lender.within((tx) => writeOffLoanAccount(tx, command)));
  }
  if (wanted.does === "reduce") {
    const amount = kobo((refundable * BigInt(Math.min(wanted.thousandths, 1_000))) / 1_000n);
    return amount > 0n && reduce(place, model, amount);
  }
  // Only what a card has paid is promised before it is given back.
  const choice = wanted.does === "promise" ? model.paid.filter(({ channel }) => channel === "card") : model.paid;
  const from = choice[wanted.pick % Math.max(1, choice.length)];
  if (from === undefined) return false;
  if (wanted.does === "reverse") return reverse(place, model, from);
  // All of the credit, or of what the repayment was, whichever is less: more is refused for another reason.
  const most = credit < from.amount ? credit : from.amount;
  const amount = kobo((most * BigInt(Math.min(wanted.thousandths, 1_000))) / 1_000n);
  if (amount === 0n) return false;
  return wanted.does === "refund" ? refund(place, model, amount, from) : promise(place, model, amount, from);
}

/** What a wallet lost by the loan, as the model has it. */
function lost(model: Model, walletId: string | undefined): bigint {
  const isOf = (paid: Paid): boolean => paid.channel !== "card" && paid.walletId === walletId;
  const ways = [...new Set(model.paid.filter(isOf).map(({ way }) => way))];
  const net = ways.map((way) => (model.came.get(way) ?? 0n) - (model.went.get(way) ?? 0n));
  return net.reduce((sum, each) => sum + each, walletId === undefined ? model.reduced : 0n);
}

const lent = naira("60,000.00");
const percent = 80n;

/** By the rule of the tiers, which adds rows up, against the loan's own account of what each payment paid for. */
async function countsAsRepaid({ lender }: Place, { accountId, came, went, reduced }: Model): Promise<boolean> {
  const { environmentId } = lender;
  const found = await lender.within((tx) =>
    sql<{ repaid: bigint }>`
      select paid_by_borrower(${environmentId}, ${accountId}, ${lent}, ${Number(percent)}) as repaid`.execute(tx),
  );
  const repaid = found.rows[0]?.repaid ?? 0n;
  if (repaid === 0n) return false;
  const paid = (await lender.within((tx) => readPaidForReal(tx, [accountId]))).get(accountId) ?? [];
  const real = paid.reduce((sum, { amount }) => sum + amount, 0n);
  const [needed, rest] = [lent * percent, lent * (100n - percent)];
  const merchants = [...came].filter(([way]) => !way.startsWith("card "));
  const others = merchants.reduce((sum, [way, amount]) => sum + amount - (went.get(way) ?? 0n), 0n);
  expect(real * 100n, "paid by the borrower").toBeGreaterThanOrEqual(needed);
  expect(real, "what counts for the tier").toBeGreaterThanOrEqual(repaid);
  expect((reduced + others) * 100n, "refunded by the merchant or paid from its wallets").toBeLessThanOrEqual(rest);
  return true;
}

/** What chance alone seldom strings together: a card pays too much, gets some of it promised, and has it. */
const promised: readonly Step[] = [
  { does: "repay", pick: 1, thousandths: 1_200 },
  { does: "promise", pick: 0, thousandths: 500 },
  { does: "keep promise" },
];
const walk = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: step.map((one) => [one]) },
      { weight: 1, arbitrary: fc.constantFrom(promised, promised.slice(0, 2)) },
    ),
    { minLength: 6, maxLength: 16 },
  )
  .map((pieces) => pieces.flat());

test("by no way does more go back than came, whatever happens in whatever order", async () => {
  const lender = await createTestLender(database);
  const { within, environmentId } = lender;
  const till = await within(async (tx) => {
    const { wallet } = await openSubAccount(tx, { accountName: "Till", externalId: null });
    await fundWallet(tx, { accountId: wallet.id, amount: naira("10,000,000.00") });
    return wallet.id;
  });
  const wallets = [mainWalletId(environmentId), till];
  const balances = async () => {
    const found = await within((tx) => readBalances(tx, wallets));
    return wallets.map((id) => found.get(id) ?? 0n);
  };
  const products = [await within((tx) => findProduct(tx)), await within((tx) => findProduct(tx, checkoutCode))];
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.nat(1), walk, async (which, steps) => {
      const terms = { amount: lent, tenor: 3, tenorType: "monthly" } as const;
      const { id: accountId } = await lender.lend(terms, products[which]);
      const none = { paid: [], came: new Map(), went: new Map(), promises: [], reduced: 0n };
      const model: Model = { accountId, ...none };
      const before = await balances();
      for (const wanted of steps) {
        const outcome = `${wanted.does}: ${await run({ lender, till }, model, wanted)}`;
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        for (const [way, went] of model.went) {
          expect(went, `${way}, ${outcome}`).toBeLessThanOrEqual(model.came.get(way) ?? 0n);
        }
        if ((await lender.read(accountId)).account.status === "completed") {
          const counted = `counts: ${await countsAsRepaid({ lender, till }, model)}`;
          counts.set(counted, (counts.get(counted) ?? 0) + 1);
        }
        const expected = [undefined, till].map((walletId, place) => (before[place] ?? 0n) - lost(model, walletId));
        expect(await balances()).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
  await lender.verify();
  // The walk must have gone everywhere, or it proves little.
  for (const does of ["repay", "refund", "reverse", "reduce", "promise", "keep promise"]) {
    expect(counts.get(`${does}: true`) ?? 0, does).toBeGreaterThan(0);
  }
  for (const outcome of ["reverse: false", "counts: true", "counts: false"]) {
    expect(counts.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  }
});
