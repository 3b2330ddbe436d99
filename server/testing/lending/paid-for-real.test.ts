import { expect, test } from "vitest";
import { findLoan } from "../../src/lending/account/loan.ts";
import { refundCredit } from "../../src/lending/collect/refund-credit.ts";
import { reverseRepayment } from "../../src/lending/collect/reverse-repayment.ts";
import { createTestDatabase } from "../database.ts";
import { naira } from "./lending.ts";
import { paidForReal, readPaidForReal } from "./paid-for-real.ts";
import { openShop } from "./refunds.ts";

const shop = await openShop(await createTestDatabase());
const { announce } = shop;

async function paid(accountId: string): Promise<[string, bigint][]> {
  const loan = await shop.within((tx) => findLoan(tx, accountId));
  if (loan === undefined) throw new Error(`there is no loan account ${accountId}`);
  expect((await shop.within((tx) => readPaidForReal(tx, [accountId]))).get(accountId)).toEqual(paidForReal(loan));
  return paidForReal(loan).map(({ amount, at }) => [at.toISOString().slice(0, 10), amount]);
}

test("a card counts on the day it paid; what the merchant's wallet paid does not, whatever it is called", async () => {
  const id = await shop.lendOut();
  await shop.repay(id, naira("1,000.00"), { channel: "card" });
  for (const channel of ["wallet", "cash", "bank_transfer"] as const) {
    await shop.repay(id, naira("2,000.00"), { channel });
  }
  await shop.advanceTo("2026-02-10T09:00:00Z");
  await shop.repay(id, naira("3,000.00"), { channel: "card" });
  expect(await paid(id)).toEqual([
    ["2026-01-31", naira("1,000.00")],
    ["2026-02-10", naira("3,000.00")],
  ]);
});

test("what the loan did not take, what went back and what was reversed was not paid", async () => {
  const id = await shop.lendOut();
  const { repayment: first } = await shop.repay(id, naira("30,000.00"), { channel: "card" });
  const { repayment: second } = await shop.repay(id, naira("40,000.00"), { channel: "card" });
  const amounts = async () => (await paid(id)).map(([, amount]) => amount);
  // 64,500.00 close the loan; the rest is credit.
  expect(await amounts()).toEqual([naira("30,000.00"), naira("34,500.00")]);
  const back = { accountId: id, channel: "card", announce } as const;
  const give = (amount: string, repaymentId: string) =>
    shop.within((tx) => refundCredit(tx, { ...back, amount: naira(amount), reference: amount, repaymentId }));
  await give("5,000.00", first.id);
  expect(await amounts()).toEqual([naira("25,000.00"), naira("34,500.00")]);
  await shop.within((tx) =>
    reverseRepayment(tx, { accountId: id, repaymentId: second.id, reason: "bounced", announce }),
  );
  expect(await amounts()).toEqual([naira("25,000.00")]);
});

test("a loan that cash has paid off was not paid for real, and one that nobody paid is empty", async () => {
  const [byCash, unpaid] = [await shop.lendOut(), await shop.lendOut()];
  await shop.repay(byCash, naira("64,500.00"), { channel: "cash" });
  expect((await shop.read(byCash)).account.status).toBe("completed");
  expect([await paid(byCash), await paid(unpaid)]).toEqual([[], []]);
});

test("what a refunded order turned into credit was not paid, though it has not gone back yet", async () => {
  const id = await shop.lendOut();
  await shop.repay(id, naira("30,000.00"), { channel: "card" });
  await shop.repay(id, naira("34,500.00"), { channel: "card" });
  await shop.advanceTo("2026-04-20T09:00:00Z");
  // Two months have passed and were earned; of the third, 20,000.00 and their 1,500.00 are credit with 10,000.00 more.
  await shop.refund(id, naira("30,000.00"));
  expect((await shop.read(id)).credit).toBe(naira("31,500.00"));
  expect((await paid(id)).map(([, amount]) => amount)).toEqual([naira("30,000.00"), naira("3,000.00")]);
});
