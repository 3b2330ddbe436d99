/** Money goes back the way it came, once: whether as a refund of credit or because the repayment is reversed. */
import { beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { openShop, type TestShop } from "../../../testing/lending/refunds.ts";
import { readBalances } from "../../ledger/balance.ts";
import type { Kobo } from "../../money/kobo.ts";
import { fundWallet } from "../../wallets/credit-wallet.ts";
import { openSubAccount } from "../../wallets/open-wallet.ts";
import { mainWalletId } from "../../wallets/wallet.ts";
import { writeOffLoanAccount } from "../account/move-loan-account.ts";
import { type RefundCredit, refundCredit } from "./refund-credit.ts";
import { type ReverseRepayment, reverseRepayment } from "./reverse-repayment.ts";

const database = await createTestDatabase();
let shop: TestShop;
beforeEach(async () => {
  shop = await openShop(database);
});

let made = 0;
const giveBack = (accountId: string, amount: string, way: Pick<RefundCredit, "channel"> & Partial<RefundCredit>) => {
  made += 1;
  const command = { accountId, amount: naira(amount), reference: `back-${made}`, announce: shop.announce, ...way };
  return shop.within((tx) => refundCredit(tx, command));
};
const reverse = (accountId: string, repaymentId: string, more: Partial<ReverseRepayment> = {}) =>
  shop.within((tx) =>
    reverseRepayment(tx, { accountId, repaymentId, reason: "bounced", announce: shop.announce, ...more }),
  );
const pay = async (accountId: string, amount: string, way: Partial<RefundCredit> = {}) =>
  (await shop.repay(accountId, naira(amount), way)).repayment.id;

async function walletOf(id = mainWalletId(shop.environmentId)): Promise<Kobo> {
  return ((await shop.within((tx) => readBalances(tx, [id]))).get(id) ?? 0n) as Kobo;
}

async function subAccount(accountName: string): Promise<string> {
  const { wallet } = await shop.within((tx) => openSubAccount(tx, { accountName, externalId: null }));
  await shop.within((tx) => fundWallet(tx, { accountId: wallet.id, amount: naira("100,000.00") }));
  return wallet.id;
}

const givenTwice = (data: object) => ({ code: "repayment_refunded", data });

test("a repayment by wallet is not reversed after a refund of credit has given its money back", async () => {
  const before = await walletOf();
  const id = await shop.lendOut();
  const byWallet = await pay(id, "60,000.00");
  await pay(id, "500,000.00", { channel: "card" });
  await giveBack(id, "60,000.00", { channel: "wallet" });
  expect(await walletOf()).toBe(before);
  await expect(reverse(id, byWallet)).rejects.toMatchObject(
    givenTwice({ channel: "wallet", paid: 60_000, refunded: 60_000 }),
  );
  expect(await walletOf()).toBe(before);
  await shop.prove(id);
});

test("what a refund gave to one wallet does not keep a repayment by another from being reversed", async () => {
  const [till, safe] = [await subAccount("Till"), await subAccount("Safe")];
  const id = await shop.lendOut();
  const byTill = await pay(id, "40,000.00", { walletId: till });
  const bySafe = await pay(id, "40,000.00", { walletId: safe });
  await giveBack(id, "15,500.00", { channel: "wallet", walletId: till });
  await expect(giveBack(id, "0.01", { channel: "wallet", walletId: till })).rejects.toMatchObject({
    code: "credit_too_small",
  });
  await expect(reverse(id, byTill)).rejects.toMatchObject(
    givenTwice({ channel: "wallet", paid: 40_000, refunded: 15_500 }),
  );
  await reverse(id, bySafe);
  expect([await walletOf(till), await walletOf(safe)]).toEqual([naira("75,500.00"), naira("100,000.00")]);
  await shop.prove(id);
});

test("a charge that was refunded is not taken back as well, but another of the same loan is", async () => {
  const id = await shop.lendOut();
  const refunded = await pay(id, "40,000.00", { channel: "card" });
  const other = await pay(id, "40,000.00", { channel: "card" });
  const back = { channel: "card", repaymentId: refunded } as const;
  await giveBack(id, "10,000.00", back);
  await expect(giveBack(id, "30,000.01", back)).rejects.toMatchObject({ code: "credit_too_small" });
  await expect(reverse(id, refunded)).rejects.toMatchObject(
    givenTwice({ channel: "card", paid: 40_000, refunded: 10_000 }),
  );
  await reverse(id, other);
  expect((await shop.read(id)).figures.balance).toBe(naira("34,500.00"));
  await shop.prove(id);
});

test("one charge gives back no more than it paid, whatever other charges have paid", async () => {
  const id = await shop.lendOut();
  const small = await pay(id, "1,000.00", { channel: "card" });
  await pay(id, "73,500.00", { channel: "card" });
  await expect(giveBack(id, "1,000.01", { channel: "card", repaymentId: small })).rejects.toMatchObject({
    code: "refund_channel_mismatch",
    data: { refundable: 1_000 },
  });
  await giveBack(id, "1,000.00", { channel: "card", repaymentId: small });
  await shop.prove(id);
});

test("what is promised to a charge counts as given back when it is to be reversed", async () => {
  const id = await shop.lendOut();
  const charge = await pay(id, "64,500.00", { channel: "card" });
  await shop.refund(id, naira("20,000.00"));
  const promise = { channel: "card", walletId: null, repaymentId: charge, amount: naira("0.01") } as const;
  await expect(reverse(id, charge, { promised: async () => [promise] })).rejects.toMatchObject(
    givenTwice({ channel: "card", paid: 64_500, refunded: 0.01 }),
  );
  await reverse(id, charge);
  await shop.prove(id);
});

test("credit that a refunded order made is given back once: as credit, or by reversing the repayment", async () => {
  const before = await walletOf();
  const id = await shop.lendOut();
  const byWallet = await pay(id, "21,500.00");
  await shop.refund(id, naira("60,000.00"));
  await giveBack(id, "20,000.00", { channel: "wallet" });
  await expect(reverse(id, byWallet)).rejects.toMatchObject(
    givenTwice({ channel: "wallet", paid: 21_500, refunded: 20_000 }),
  );
  expect(before - (await walletOf())).toBe(naira("61,500.00"));
  await shop.prove(id);
});

test("a written-off loan gives back by reversal only what came", async () => {
  const before = await walletOf();
  const id = await shop.lendOut();
  const byWallet = await pay(id, "1,000.00");
  await shop.advanceTo("2026-03-05T09:00:00Z");
  await shop.within((tx) => writeOffLoanAccount(tx, { accountId: id, announce: shop.announce }));
  await pay(id, "50.00", { channel: "card" });
  await expect(giveBack(id, "0.01", { channel: "wallet" })).rejects.toMatchObject({ code: "credit_too_small" });
  await reverse(id, byWallet);
  await reverse(id, byWallet);
  expect(await walletOf()).toBe(before);
  await shop.prove(id);
});
