import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createTestLender, naira, publish } from "../../../testing/lending/lending.ts";
import { systemAccountId } from "../../ledger/account.ts";
import { readBalances } from "../../ledger/balance.ts";
import type { Kobo } from "../../money/kobo.ts";
import { fundWallet } from "../../wallets/credit-wallet.ts";
import { openSubAccount } from "../../wallets/open-wallet.ts";
import { mainWalletId } from "../../wallets/wallet.ts";
import { type LoanChange, lenderFundingId } from "../account/loan-account.ts";
import { writeOffLoanAccount } from "../account/move-loan-account.ts";
import { readRepayment, readRepayments } from "../account/read-loan-account.ts";
import type { RepaymentChannel } from "../position/repayment.ts";
import { refundCredit } from "./refund-credit.ts";
import { reverseRepayment } from "./reverse-repayment.ts";

const database = await createTestDatabase();
const lender = await createTestLender(database);
const { announce, environmentId } = lender;
const terms = { amount: naira("30,000.00"), tenor: 3, tenorType: "monthly" } as const;

async function balanceOf(id: string): Promise<bigint> {
  return (await lender.within((tx) => readBalances(tx, [id]))).get(id) ?? 0n;
}
const system = (purpose: string): Promise<bigint> => balanceOf(systemAccountId(environmentId, purpose));
const reverse = (accountId: string, repaymentId: string) =>
  lender.within((tx) => reverseRepayment(tx, { accountId, repaymentId, reason: "bounced", announce }));
const refund = (accountId: string, amount: Kobo, reference: string, channel: RepaymentChannel = "wallet") =>
  lender.within((tx) => refundCredit(tx, { accountId, amount, reference, channel, announce }));
const told = (since: number): string[] =>
  lender.heard
    .slice(since)
    .map((change: LoanChange) => (change.what === "moved" ? change.account.status : change.what));

const channelAccounts: readonly [RepaymentChannel, () => Promise<bigint>][] = [
  ["wallet", () => balanceOf(mainWalletId(environmentId))],
  ["card", () => system("card_settlement")],
  ["cash", () => balanceOf(mainWalletId(environmentId))],
  ["bank_transfer", () => balanceOf(mainWalletId(environmentId))],
];

test.each(channelAccounts)(
  "a repayment by %s is taken where it is, and principal returns to the lender",
  async (channel, read) => {
    const { id } = await lender.lend(terms);
    const [before, funds] = [await read(), await balanceOf(lenderFundingId(environmentId))];
    const { repayment, replayed } = await lender.repay(id, naira("5,000.00"), { channel });
    expect([replayed, repayment.number, repayment.walletId !== null]).toEqual([false, 1, channel !== "card"]);
    expect((await read()) - before).toBe(-naira("5,000.00"));
    // 1,200.00 of it is interest, which is not the lender's principal.
    expect((await balanceOf(lenderFundingId(environmentId))) - funds).toBe(naira("3,800.00"));
    expect((await lender.read(id)).figures.balance).toBe(naira("28,600.00"));
    await lender.verify();
  },
);

test("cash that the merchant's wallet does not cover is refused, and the lender's funds do not grow", async () => {
  const { id } = await lender.lend({ ...terms, amount: naira("5,000,000.00") });
  const funds = await balanceOf(lenderFundingId(environmentId));
  const { wallet } = await lender.within((tx) => openSubAccount(tx, { accountName: "Float", externalId: null }));
  for (const channel of ["cash", "bank_transfer"] as const) {
    const tooMuch = ((await balanceOf(mainWalletId(environmentId))) + 1n) as Kobo;
    await expect(lender.repay(id, tooMuch, { channel })).rejects.toMatchObject({ code: "insufficient_funds" });
    const fromFloat = lender.repay(id, naira("0.01"), { channel, walletId: wallet.id });
    await expect(fromFloat).rejects.toMatchObject({ code: "insufficient_funds" });
  }
  expect(await balanceOf(lenderFundingId(environmentId))).toBe(funds);
  expect(await system("merchant_receivable")).toBe(0n);
});

test("credit that cash made goes back to the wallet that was debited, and to no other", async () => {
  const { wallet } = await lender.within((tx) => openSubAccount(tx, { accountName: "Float", externalId: null }));
  await lender.within((tx) => fundWallet(tx, { accountId: wallet.id, amount: naira("40,000.00") }));
  const { id } = await lender.lend(terms);
  await lender.repay(id, naira("40,000.00"), { channel: "cash", walletId: wallet.id });
  expect(await balanceOf(wallet.id)).toBe(0n);
  const back = { accountId: id, amount: naira("6,400.00"), announce };
  for (const [reference, way] of [
    ["to main", { channel: "cash" }],
    ["as wallet", { channel: "wallet", walletId: wallet.id }],
    ["as transfer", { channel: "bank_transfer", walletId: wallet.id }],
  ] as const) {
    const elsewhere = lender.within((tx) => refundCredit(tx, { ...back, ...way, reference }));
    await expect(elsewhere).rejects.toMatchObject({ code: "refund_channel_mismatch", data: { refundable: 0 } });
  }
  const right = { ...back, channel: "cash", walletId: wallet.id, reference: "right" } as const;
  await lender.within((tx) => refundCredit(tx, right));
  expect(await balanceOf(wallet.id)).toBe(naira("6,400.00"));
  await lender.verify();
});

test("a sub-account can pay; what is no wallet of the merchant's cannot", async () => {
  const { id } = await lender.lend(terms);
  const { wallet } = await lender.within((tx) => openSubAccount(tx, { accountName: "Till", externalId: null }));
  const fromTill = lender.repay(id, naira("1.00"), { walletId: wallet.id });
  await expect(fromTill).rejects.toMatchObject({ code: "insufficient_funds" });
  for (const walletId of [lenderFundingId(environmentId), systemAccountId(environmentId, "interest_income")]) {
    await expect(lender.repay(id, naira("1.00"), { walletId })).rejects.toMatchObject({ code: "wallet_not_found" });
  }
  await lender.verify();
});

test("the same reference again is answered from the first; other content is refused, naming what differs", async () => {
  const { id } = await lender.lend(terms);
  const first = await lender.repay(id, naira("100.00"), { reference: "one" });
  const again = await lender.repay(id, naira("100.00"), { reference: "one" });
  expect(again).toEqual({ repayment: first.repayment, replayed: true });
  await expect(lender.repay(id, naira("100.01"), { reference: "one", channel: "cash" })).rejects.toMatchObject({
    code: "reference_conflict",
    data: { fields: ["amount", "channel"] },
  });
  const { wallet } = await lender.within((tx) => openSubAccount(tx, { accountName: "Till", externalId: null }));
  const other = await lender.lend(terms);
  const elsewhere = lender.repay(other.id, naira("100.00"), { reference: "one", walletId: wallet.id });
  await expect(elsewhere).rejects.toMatchObject({ data: { fields: ["loan_id", "wallet_id"] } });
  expect((await lender.read(id)).figures.paid).toBe(naira("100.00"));
});

test("of twins at once one is recorded and the other replayed", async () => {
  const { id } = await lender.lend(terms);
  const twins = await Promise.all(
    Array.from({ length: 4 }, () => lender.repay(id, naira("100.00"), { reference: "twin" })),
  );
  expect(twins.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(twins.map(({ repayment }) => repayment.id)).size).toBe(1);
  expect((await lender.read(id)).figures.paid).toBe(naira("100.00"));
  await lender.verify();
});

test("repayments that arrive together are all counted, and only one of them closes the loan", async () => {
  const { id } = await lender.lend(terms);
  const since = lender.heard.length;
  await Promise.all(Array.from({ length: 6 }, () => lender.repay(id, naira("5,600.00"))));
  expect((await lender.read(id)).account.status).toBe("completed");
  expect(told(since).filter((what) => what === "completed")).toHaveLength(1);
  await lender.verify();
});

test("too little money in the wallet leaves no trace, and the reference stays free", async () => {
  const { id } = await lender.lend({ ...terms, amount: naira("5,000,000.00") });
  const wallet = await balanceOf(mainWalletId(environmentId));
  const amount = (wallet + 1n) as Kobo;
  await expect(lender.repay(id, amount, { reference: "dear" })).rejects.toMatchObject({ code: "insufficient_funds" });
  expect((await lender.repay(id, naira("1.00"), { reference: "dear" })).replayed).toBe(false);
});

test("what is overpaid becomes credit and goes back the way it came, never more than there is", async () => {
  const { id } = await lender.lend(terms);
  const since = lender.heard.length;
  await lender.repay(id, naira("34,000.00"));
  expect(told(since)).toEqual(["repaid", "completed"]);
  expect(await lender.read(id)).toMatchObject({ credit: naira("400.00"), figures: { balance: 0n, toRepay: 0n } });
  await expect(refund(id, naira("400.01"), "all")).rejects.toMatchObject({
    code: "credit_too_small",
    data: { credit: 400 },
  });
  const wallet = await balanceOf(mainWalletId(environmentId));
  const { refund: made } = await refund(id, naira("150.00"), "part");
  expect(await refund(id, naira("150.00"), "part")).toEqual({ refund: made, replayed: true });
  expect((await balanceOf(mainWalletId(environmentId))) - wallet).toBe(naira("150.00"));
  await expect(refund(id, naira("250.00"), "other", "cash")).rejects.toMatchObject({
    code: "refund_channel_mismatch",
    data: { refundable: 0 },
  });
  await refund(id, naira("250.00"), "rest");
  expect((await lender.read(id)).credit).toBe(0n);
  await lender.verify();
});

test("a completed loan takes no more repayments, but what a card has paid becomes credit", async () => {
  const { id } = await lender.lend(terms);
  await lender.repay(id, naira("33,600.00"));
  await expect(lender.repay(id, naira("1.00"))).rejects.toMatchObject({ code: "invalid_state" });
  await lender.repay(id, naira("10.00"), { channel: "card" });
  expect(await lender.read(id)).toMatchObject({ credit: naira("10.00"), account: { status: "completed" } });
  await lender.verify();
});

test("a reversed repayment opens a completed loan again; credit pays what it can", async () => {
  const { id } = await lender.lend(terms);
  const first = await lender.repay(id, naira("20,000.00"));
  await lender.repay(id, naira("15,000.00"));
  const wallet = await balanceOf(mainWalletId(environmentId));
  const since = lender.heard.length;
  const reversed = await reverse(id, first.repayment.id);
  expect(reversed.repayment.reversalReason).toBe("bounced");
  expect(told(since)).toEqual(["repayment_reversed", "active"]);
  expect(await lender.read(id)).toMatchObject({ credit: 0n, figures: { balance: naira("18,600.00") } });
  expect((await balanceOf(mainWalletId(environmentId))) - wallet).toBe(naira("20,000.00"));
  expect(reversed.replayed).toBe(false);
  expect(await reverse(id, first.repayment.id)).toEqual({ ...reversed, replayed: true });
  const { repayments, total } = await lender.within((tx) => readRepayments(tx, id, { page: 1, limit: 10 }));
  expect([total, repayments.map(({ number, allocation }) => [number, allocation?.credit])]).toEqual([
    2n,
    [
      [2, 0n],
      [1, undefined],
    ],
  ]);
  await lender.verify();
});

test("a repayment reversed after its grace makes the instalment overdue, with its late fee", async () => {
  const { id } = await lender.lend(terms);
  const { repayment } = await lender.repay(id, naira("11,200.00"));
  await lender.clock.advance(lender.environmentId, { days: 40 });
  expect((await lender.read(id)).account.status).toBe("active");
  const since = lender.heard.length;
  await reverse(id, repayment.id);
  expect(told(since)).toEqual(["repayment_reversed", "late_fee_charged", "overdue"]);
  expect((await lender.read(id)).figures).toMatchObject({ lateFees: naira("112.00"), balance: naira("33,712.00") });
  await lender.verify();
});

test("a repayment of another loan cannot be reversed or read here", async () => {
  const [one, other] = [await lender.lend(terms), await lender.lend(terms)];
  const { repayment } = await lender.repay(other.id, naira("1.00"));
  await expect(reverse(one.id, repayment.id)).rejects.toMatchObject({ code: "repayment_not_found" });
  expect(await lender.within((tx) => readRepayment(tx, one.id, repayment.id))).toBeUndefined();
  expect(await lender.within((tx) => readRepayment(tx, other.id, repayment.id))).toMatchObject({
    id: repayment.id,
    allocation: { interest: naira("1.00") },
  });
});

test("another merchant's sandbox does not see the loan", async () => {
  const { id } = await lender.lend(terms);
  const stranger = await createTestLender(database);
  await expect(stranger.read(id)).rejects.toThrow("no loan account");
  await expect(stranger.repay(id, naira("1.00"))).rejects.toThrow("no loan account");
});

test("settling a reducing balance early waives periods to come, until the settlement is reversed", async () => {
  const product = await publish(lender, { interestMethod: "reducing" });
  const { id } = await lender.lend(terms, product);
  const planned = (await lender.read(id)).figures.totalInterest;
  const { settlement } = await lender.read(id);
  expect(settlement.amount).toBe(naira("31,200.00"));
  const income = await system("interest_income");
  const { repayment } = await lender.repay(id, settlement.amount);
  const settled = await lender.read(id);
  expect(settled.account.status).toBe("completed");
  expect(settled.figures).toMatchObject({ balance: 0n, totalInterest: naira("1,200.00") });
  expect(settled.instalments.reduce((sum, { amountDue }) => sum + amountDue, 0n)).toBe(settled.figures.totalRepayment);
  expect((await system("interest_income")) - income).toBe(naira("1,200.00"));
  await reverse(id, repayment.id);
  expect((await lender.read(id)).figures.totalInterest).toBe(planned);
  expect(await system("interest_income")).toBe(income);
  await lender.verify();
});

test("a write-off turns what is owed into a loss, and later card money waits in suspense", async () => {
  const { id } = await lender.lend(terms);
  await lender.repay(id, naira("1,000.00"));
  await lender.clock.advance(lender.environmentId, { days: 40 });
  const losses = await system("loan_losses");
  const suspense = await system("loan_suspense");
  await lender.within((tx) => writeOffLoanAccount(tx, { accountId: id, announce }));
  // Principal, the interest that had fallen due less what was paid, and the late fee.
  expect((await system("loan_losses")) - losses).toBe(-(naira("30,000.00") + naira("200.00") + naira("112.00")));
  await lender.clock.advance(lender.environmentId, { days: 60 });
  await expect(lender.repay(id, naira("1.00"))).rejects.toMatchObject({ code: "invalid_state" });
  await lender.repay(id, naira("50.00"), { channel: "card" });
  expect((await system("loan_suspense")) - suspense).toBe(naira("50.00"));
  const { account, figures } = await lender.read(id);
  expect([account.status, figures.balance, figures.lateFees]).toEqual([
    "written_off",
    naira("32,712.00"),
    naira("112.00"),
  ]);
  await lender.verify();
});
