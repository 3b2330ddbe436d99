import { sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createTestLender, naira, type TestLender } from "../../testing/lending.ts";
import { type SystemPurpose, systemAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { type Kobo, kobo } from "../money/kobo.ts";
import { openSubAccount } from "../wallets/open-wallet.ts";
import { mainWalletId } from "../wallets/wallet.ts";
import { approveLoanAccount, cancelLoanAccount, rejectLoanAccount } from "./decide-loan-account.ts";
import { returnDisbursement } from "./disburse-loan-account.ts";
import { dueAmount } from "./due-amount.ts";
import { explain, explainableFields } from "./explain.ts";
import { type LoanChange, lenderFundingId } from "./loan-account.ts";
import { checkoutCode, findProduct } from "./products.ts";
import { type ReduceLoanAccount, reduceLoanAccount } from "./reduce-loan-account.ts";
import { refundCredit } from "./refund-credit.ts";
import { reverseRepayment } from "./reverse-repayment.ts";
import { writeOffLoanAccount } from "./write-off-loan-account.ts";

const database = await createTestDatabase();
const terms = { amount: naira("60,000.00"), tenure: 3, tenureType: "monthly" } as const;

interface Shop extends TestLender {
  lendOut(): Promise<string>;
  refund(accountId: string, amount: Kobo, more?: Partial<ReduceLoanAccount>): ReturnType<typeof reduceLoanAccount>;
  balances(): Promise<Record<string, bigint>>;
  told(since: number): string[];
  /** The books, and that every figure can be explained. */
  prove(accountId: string): Promise<void>;
}

const watched = ["loan_book", "funds_lent", "interest_receivable", "loan_fees_receivable", "loan_credit"] as const;

/** On 31 January 2026: 60,000.00 over three months at 2.5 %, thus three times 20,000.00 and 1,500.00. */
async function openShop(): Promise<Shop> {
  const lender = await createTestLender(database);
  const { environmentId, within, announce } = lender;
  const product = await within((tx) => findProduct(tx, checkoutCode));
  let references = 0;
  const accounts: [string, string][] = [
    ["wallet", mainWalletId(environmentId)],
    ["lender_funding", lenderFundingId(environmentId)],
    ...watched.map((purpose: SystemPurpose): [string, string] => [purpose, systemAccountId(environmentId, purpose)]),
  ];
  return {
    ...lender,
    lendOut: async () => (await lender.lend(terms, product)).id,
    refund: (accountId, amount, more = {}) => {
      references += 1;
      const named = { reference: `refund-${references}`, reason: "Shoes returned" };
      return within((tx) => reduceLoanAccount(tx, { accountId, amount, ...named, announce, ...more }));
    },
    balances: async () => {
      const found = await within((tx) =>
        readBalances(
          tx,
          accounts.map(([, id]) => id),
        ),
      );
      return Object.fromEntries(accounts.map(([name, id]) => [name, found.get(id) ?? 0n]));
    },
    told: (since) =>
      lender.heard
        .slice(since)
        .map((change: LoanChange) => (change.what === "moved" ? change.account.status : change.what)),
    prove: async (accountId) => {
      for (const field of explainableFields) await within((tx) => explain(tx, accountId, field));
      await lender.verify();
    },
  };
}

async function movedBy(shop: Shop, work: () => Promise<unknown>): Promise<Record<string, bigint>> {
  const before = await shop.balances();
  await work();
  const after = await shop.balances();
  const moved = Object.entries(after).map(([name, amount]): [string, bigint] => [name, amount - (before[name] ?? 0n)]);
  return Object.fromEntries(moved.filter(([, amount]) => amount !== 0n));
}

test("a quarter refunded takes a quarter off every instalment to come, from the wallet to the lender", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  const since = shop.heard.length;
  const moved = await movedBy(shop, () => shop.refund(id, naira("15,000.00")));
  expect(moved).toEqual({
    wallet: -naira("15,000.00"),
    lender_funding: naira("15,000.00"),
    loan_book: naira("15,000.00"),
    funds_lent: -naira("15,000.00"),
  });
  const view = await shop.read(id);
  expect(view.instalments.map(({ amountDue, balance }) => [amountDue, balance])).toEqual(
    Array.from({ length: 3 }, () => [naira("16,125.00"), naira("16,125.00")]),
  );
  expect(view.figures).toMatchObject({
    totalInterest: naira("3,375.00"),
    totalRepayment: naira("48,375.00"),
    reducedPrincipal: naira("15,000.00"),
    balance: naira("48,375.00"),
  });
  expect([view.instalmentAmount, view.refundable]).toEqual([naira("16,125.00"), naira("45,000.00")]);
  expect(view.reductions).toMatchObject([
    {
      reason: "Shoes returned",
      effect: { principal: naira("15,000.00"), waivedInterest: naira("1,125.00"), credit: 0n },
    },
  ]);
  expect(shop.told(since)).toEqual(["reduced"]);
  await shop.prove(id);
});

test("a whole refund on the first day completes the loan, which costs nothing and leaves the agenda", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  const since = shop.heard.length;
  await shop.refund(id, naira("60,000.00"));
  const { account, figures, credit, refundable } = await shop.read(id);
  expect([account.status, figures.totalRepayment, figures.balance, credit, refundable]).toEqual([
    "completed",
    ...[0n, 0n, 0n, 0n],
  ]);
  expect(shop.told(since)).toEqual(["reduced", "completed"]);
  expect((await shop.clock.read(shop.environmentId)).nextDueAt).toBeNull();
  await shop.prove(id);
});

test("what had fallen due stays owed when all principal is refunded, and is collected", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  await shop.advanceTo("2026-03-05T09:00:00Z");
  await shop.refund(id, naira("60,000.00"));
  const { account, figures } = await shop.read(id);
  // The first month's interest and its late fee of 1 %.
  expect([account.status, figures.balance]).toEqual(["overdue", naira("1,715.00")]);
  expect(await shop.within((tx) => dueAmount(tx, id))).toEqual({ amount: naira("1,715.00"), nextDueDate: null });
  await shop.prove(id);
  const since = shop.heard.length;
  await shop.repay(id, naira("1,715.00"), { channel: "card" });
  expect(shop.told(since)).toEqual(["repaid", "completed"]);
  await shop.prove(id);
});

test("a refund that covers all that is open, late fee included, completes an overdue loan", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  await shop.advanceTo("2026-02-28T09:00:00Z");
  await shop.repay(id, naira("21,499.99"));
  await shop.advanceTo("2026-03-05T09:00:00Z");
  expect((await shop.read(id)).account.status).toBe("overdue");
  // All principal to come, the last kobo that is due, and the late fee of 215.00.
  const since = shop.heard.length;
  await shop.refund(id, naira("40,215.01"));
  expect(shop.told(since)).toEqual(["reduced", "completed"]);
  expect((await shop.read(id)).credit).toBe(0n);
  await shop.prove(id);
});

test("an instalment that was shrunk bears a smaller late fee", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  await shop.refund(id, naira("15,000.00"));
  await shop.advanceTo("2026-03-05T09:00:00Z");
  expect((await shop.read(id)).figures.lateFees).toBe(naira("161.25"));
  // After its due date: the fee stays what it was charged on.
  await shop.refund(id, naira("40,000.00"));
  const { figures } = await shop.read(id);
  expect([figures.lateFees, figures.balance]).toEqual([naira("161.25"), naira("6,286.25")]);
  await shop.prove(id);
});

test("what is beyond what is owed is the borrower's credit and goes back the way the borrower paid", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  await shop.repay(id, naira("21,500.00"), { channel: "card" });
  const moved = await movedBy(shop, () => shop.refund(id, naira("60,000.00")));
  expect(moved).toEqual({
    wallet: -naira("60,000.00"),
    lender_funding: naira("40,000.00"),
    loan_book: naira("40,000.00"),
    funds_lent: -naira("40,000.00"),
    loan_credit: naira("20,000.00"),
  });
  const giveBack = (channel: "wallet" | "card", reference: string) =>
    shop.within((tx) =>
      refundCredit(tx, { accountId: id, amount: naira("20,000.00"), reference, channel, announce: shop.announce }),
    );
  await expect(giveBack("wallet", "w")).rejects.toMatchObject({
    code: "refund_channel_mismatch",
    data: { refundable: 0 },
  });
  await giveBack("card", "c");
  expect(await shop.read(id)).toMatchObject({ credit: 0n, account: { status: "completed" }, figures: { balance: 0n } });
  await shop.prove(id);
});

test("an order returned after the loan was repaid becomes credit", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  await shop.repay(id, naira("64,500.00"), { channel: "card" });
  await shop.refund(id, naira("60,000.00"));
  expect(await shop.read(id)).toMatchObject({
    ...{ credit: naira("60,000.00"), account: { status: "completed" } },
    figures: { totalRepayment: naira("64,500.00"), balance: 0n },
  });
  await shop.prove(id);
});

test("a repayment that bounces after the refund is owed again, with what was given on of its credit", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  const { announce } = shop;
  const { repayment } = await shop.repay(id, naira("21,500.00"), { channel: "card" });
  await shop.refund(id, naira("60,000.00"));
  const amount = naira("20,000.00");
  await shop.within((tx) => refundCredit(tx, { accountId: id, amount, reference: "c", channel: "card", announce }));
  await shop.within((tx) =>
    reverseRepayment(tx, { accountId: id, repaymentId: repayment.id, reason: "chargeback", announce }),
  );
  // Of the 60,000.00 refunded 40,000.00 stayed: a third of the plan is left.
  const { account, figures, credit } = await shop.read(id);
  expect([account.status, figures.totalRepayment, figures.balance, credit]).toEqual([
    "active",
    ...[naira("21,500.00"), naira("21,500.00"), 0n],
  ]);
  const again = shop.within((tx) =>
    refundCredit(tx, { accountId: id, amount: kobo(1n), reference: "d", channel: "card", announce }),
  );
  await expect(again).rejects.toMatchObject({ code: "credit_too_small" });
  await shop.prove(id);
});

test("the same reference again is answered from the first; other content is refused, naming what differs", async () => {
  const shop = await openShop();
  const [id, other] = [await shop.lendOut(), await shop.lendOut()];
  const first = await shop.refund(id, naira("100.00"), { reference: "r" });
  expect(await shop.refund(id, naira("100.00"), { reference: "r" })).toEqual({ ...first, replayed: true });
  await expect(shop.refund(id, naira("100.01"), { reference: "r", reason: "Other" })).rejects.toMatchObject({
    ...{ code: "reference_conflict", data: { fields: ["amount", "reason"] } },
  });
  const { wallet: till } = await shop.within((tx) => openSubAccount(tx, { accountName: "Till", externalId: null }));
  await expect(shop.refund(other, naira("100.00"), { reference: "r", walletId: till.id })).rejects.toMatchObject({
    data: { fields: ["loan_id", "wallet_id"] },
  });
  expect((await shop.read(id)).refundable).toBe(naira("59,900.00"));
  // References of repayments are another namespace.
  expect((await shop.repay(id, naira("1.00"), { reference: "r" })).replayed).toBe(false);
});

test("of twins at once one refunds and the other is replayed", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  const twins = await Promise.all(
    Array.from({ length: 5 }, () => shop.refund(id, naira("20,000.00"), { reference: "twin" })),
  );
  expect(twins.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(twins.map(({ reduction }) => reduction.id)).size).toBe(1);
  expect((await shop.read(id)).refundable).toBe(naira("40,000.00"));
  await shop.prove(id);
});

test("refunds at once never exceed the loan, whatever is repaid meanwhile", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  const refunds = Array.from({ length: 5 }, () => shop.refund(id, naira("25,000.00")));
  const paid = shop.repay(id, naira("5,000.00"), { channel: "card" });
  const outcomes = await Promise.allSettled(refunds);
  await paid;
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    expect(outcome.reason).toMatchObject({ code: "refund_exceeds_loan", data: { refundable: 10_000 } });
  }
  await shop.prove(id);
});

test("a kobo beyond the loan is refused with what is left, and leaves no trace", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  await expect(shop.refund(id, naira("60,000.01"), { reference: "much" })).rejects.toMatchObject({
    ...{ code: "refund_exceeds_loan", status: 422, data: { refundable: 60_000 } },
  });
  expect((await shop.refund(id, naira("1.00"), { reference: "much" })).replayed).toBe(false);
  await shop.prove(id);
});

test("too little money in the wallet refuses, and what is no wallet of the merchant's cannot pay", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  const { wallet: till } = await shop.within((tx) => openSubAccount(tx, { accountName: "Till", externalId: null }));
  const fromTill = shop.refund(id, naira("1.00"), { walletId: till.id, reference: "poor" });
  await expect(fromTill).rejects.toMatchObject({ code: "insufficient_funds" });
  const walletId = lenderFundingId(shop.environmentId);
  await expect(shop.refund(id, naira("1.00"), { walletId })).rejects.toMatchObject({ code: "wallet_not_found" });
  expect((await shop.refund(id, naira("1.00"), { reference: "poor" })).replayed).toBe(false);
  await shop.prove(id);
});

test("only money that is out, or was, can be refunded", async () => {
  const shop = await openShop();
  const { announce, within } = shop;
  const act = (id: string, step: typeof approveLoanAccount) => within((tx) => step(tx, { accountId: id, announce }));
  const pending = async () => (await shop.open(terms)).id;
  const [open, approved, rejected, cancelled] = [await pending(), await pending(), await pending(), await pending()];
  await act(approved, approveLoanAccount);
  await act(rejected, rejectLoanAccount);
  await act(cancelled, cancelLoanAccount);
  const lost = await shop.lendOut();
  await shop.clock.advance(shop.environmentId, { days: 40 });
  await act(lost, writeOffLoanAccount);
  const states = { pending: open, approved, rejected, cancelled, written_off: lost };
  for (const [status, id] of Object.entries(states)) {
    await expect(shop.refund(id, naira("1.00")), status).rejects.toMatchObject({
      code: "invalid_state",
      data: { status },
    });
  }
  await shop.verify();
});

test("a refunded loan can be written off, and its disbursement cannot come back unasked", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  const { announce } = shop;
  await shop.refund(id, naira("30,000.00"));
  const back = shop.within((tx) => returnDisbursement(tx, { accountId: id, announce }));
  await expect(back).rejects.toMatchObject({ code: "invalid_state" });
  await shop.clock.advance(shop.environmentId, { days: 40 });
  const moved = await movedBy(shop, () => shop.within((tx) => writeOffLoanAccount(tx, { accountId: id, announce })));
  expect(moved).toMatchObject({ loan_book: naira("30,000.00"), interest_receivable: naira("750.00") });
  await shop.prove(id);
});

test("another merchant's sandbox does not see the loan", async () => {
  const [shop, stranger] = [await openShop(), await openShop()];
  const id = await shop.lendOut();
  await expect(stranger.refund(id, naira("1.00"))).rejects.toThrow("no loan account");
  expect((await shop.read(id)).refundable).toBe(naira("60,000.00"));
});

test("what was refunded can be neither changed nor deleted", async () => {
  const shop = await openShop();
  const id = await shop.lendOut();
  await shop.refund(id, naira("1.00"));
  const change = shop.within((tx) => sql`update loan_reductions set amount = 2 where account_id = ${id}`.execute(tx));
  await expect(change).rejects.toThrow("permission denied");
  const remove = shop.within((tx) => sql`delete from loan_reductions where account_id = ${id}`.execute(tx));
  await expect(remove).rejects.toThrow("permission denied");
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await expect(owner.query("update loan_reductions set amount = 2")).rejects.toThrow("append-only");
  await owner.end();
});
