import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { movedBy, openShop } from "../../../testing/lending/refunds.ts";
import { kobo } from "../../money/kobo.ts";
import { dueAmount } from "./due-amount.ts";
import { refundCredit } from "./refund-credit.ts";
import { reverseRepayment } from "./reverse-repayment.ts";

const database = await createTestDatabase();

test("a quarter refunded takes a quarter off every instalment to come, from the wallet to the lender", async () => {
  const shop = await openShop(database);
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
  const shop = await openShop(database);
  const id = await shop.lendOut();
  const since = shop.heard.length;
  await shop.refund(id, naira("60,000.00"));
  const { account, figures, credit, refundable } = await shop.read(id);
  expect([account.status, figures.totalRepayment, figures.balance, credit, refundable]).toEqual([
    "completed",
    0n,
    0n,
    0n,
    0n,
  ]);
  expect(shop.told(since)).toEqual(["reduced", "completed"]);
  expect((await shop.clock.read(shop.environmentId)).nextDueAt).toBeNull();
  await shop.prove(id);
});

test("what had fallen due stays owed when all principal is refunded, and is collected", async () => {
  const shop = await openShop(database);
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
  const shop = await openShop(database);
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
  const shop = await openShop(database);
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
  const shop = await openShop(database);
  const id = await shop.lendOut();
  const { repayment } = await shop.repay(id, naira("21,500.00"), { channel: "card" });
  const moved = await movedBy(shop, () => shop.refund(id, naira("60,000.00")));
  // Interest that was prepaid is not earned yet, and goes back with the principal.
  expect(moved).toEqual({
    wallet: -naira("60,000.00"),
    lender_funding: naira("40,000.00"),
    loan_book: naira("40,000.00"),
    funds_lent: -naira("40,000.00"),
    unearned_loan_income: -naira("1,500.00"),
    loan_credit: naira("21,500.00"),
  });
  const giveBack = (channel: "wallet" | "card", reference: string) => {
    const wanted = { accountId: id, amount: naira("21,500.00"), reference, channel, announce: shop.announce };
    return shop.within((tx) =>
      refundCredit(tx, channel === "card" ? { ...wanted, repaymentId: repayment.id } : wanted),
    );
  };
  await expect(giveBack("wallet", "w")).rejects.toMatchObject({
    code: "refund_channel_mismatch",
    data: { refundable: 0 },
  });
  await giveBack("card", "c");
  expect(await shop.read(id)).toMatchObject({ credit: 0n, account: { status: "completed" }, figures: { balance: 0n } });
  await shop.prove(id);
});

test("what was prepaid on the day of a whole refund comes back to the last kobo", async () => {
  const shop = await openShop(database);
  const id = await shop.lendOut();
  await shop.repay(id, naira("30,000.00"), { channel: "card" });
  await shop.refund(id, naira("60,000.00"));
  expect(await shop.read(id)).toMatchObject({
    credit: naira("30,000.00"),
    account: { status: "completed" },
    figures: { totalRepayment: 0n, paid: 0n, balance: 0n },
  });
  await shop.prove(id);
});

test("an order returned after the loan was repaid becomes credit, with what it would still have cost", async () => {
  const shop = await openShop(database);
  const id = await shop.lendOut();
  await shop.repay(id, naira("64,500.00"), { channel: "card" });
  await shop.advanceTo("2026-03-05T09:00:00Z");
  await shop.refund(id, naira("60,000.00"));
  // The first month has passed and was earned.
  expect(await shop.read(id)).toMatchObject({
    credit: naira("63,000.00"),
    account: { status: "completed" },
    figures: { totalRepayment: naira("21,500.00"), balance: 0n },
  });
  await shop.prove(id);
});

test("a repayment that bounces after the refund is owed again, with what was given on of the credit", async () => {
  const shop = await openShop(database);
  const id = await shop.lendOut();
  const { announce } = shop;
  const { repayment } = await shop.repay(id, naira("21,500.00"), { channel: "card" });
  const { repayment: other } = await shop.repay(id, naira("20,000.00"), { channel: "card" });
  await shop.refund(id, naira("60,000.00"));
  const back = { accountId: id, channel: "card", repaymentId: other.id, announce } as const;
  await shop.within((tx) => refundCredit(tx, { ...back, amount: naira("20,000.00"), reference: "c" }));
  await shop.within((tx) =>
    reverseRepayment(tx, { accountId: id, repaymentId: repayment.id, reason: "chargeback", announce }),
  );
  const again = shop.within((tx) => refundCredit(tx, { ...back, amount: kobo(1n), reference: "d" }));
  await expect(again).rejects.toMatchObject({ code: "credit_too_small" });
  await shop.prove(id);
});
