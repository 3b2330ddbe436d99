/** Cash that the first version recorded on the merchant's word: the books still explain it, and it goes back as it came. */
import { expect, test } from "vitest";
import { createTestLending, naira } from "../../../testing/lending/lending.ts";
import { paidForReal } from "../../../testing/lending/paid-for-real.ts";
import { systemAccountId } from "../../ledger/account.ts";
import { readBalances } from "../../ledger/balance.ts";
import { claimReferences } from "../../platform/records/reference-claims.ts";
import { mainWalletId } from "../../wallets/wallet.ts";
import { changeLoan, settleStatus } from "../account/change-loan.ts";
import { lockLoan } from "../account/loan.ts";
import { insertRepayment } from "../account/repayment-store.ts";
import { type Repayment, repaymentReferences } from "../position/repayment.ts";
import { refundCredit } from "./refund-credit.ts";
import { reverseRepayment } from "./reverse-repayment.ts";

const lender = await createTestLending();
const { announce, environmentId } = lender;
const accounts = [systemAccountId(environmentId, "merchant_receivable"), mainWalletId(environmentId)];

async function balances(): Promise<bigint[]> {
  const found = await lender.within((tx) => readBalances(tx, accounts));
  return accounts.map((id) => found.get(id) ?? 0n);
}

/** As the first version did it. */
async function recordWithoutWallet(accountId: string, reference: string): Promise<string> {
  return lender.within(async (tx) => {
    const id = tx.environment.clock.newId();
    await claimReferences(tx, repaymentReferences, [{ references: [reference], recordId: id }]);
    const loan = await lockLoan(tx, accountId);
    const repayment: Repayment = {
      id,
      accountId,
      number: 1,
      sequence: loan.account.version + 1,
      reference,
      channel: "cash",
      walletId: null,
      amount: naira("34,000.00"),
      recordedAt: tx.environment.clock.now(),
      reversedAt: null,
      reversalReason: null,
    };
    await insertRepayment(tx, repayment);
    const booking = { kind: "loan.repayment", narration: "Loan repayment", id };
    const repaid = await changeLoan(tx, loan, { history: { repayments: [repayment] } }, booking);
    await settleStatus(tx, repaid, announce);
    return id;
  });
}

test("it is owed by the merchant, is replayed, goes back to no wallet, and can be reversed", async () => {
  const { id } = await lender.lend({ amount: naira("30,000.00"), tenor: 3, tenorType: "monthly" });
  const [, wallet = 0n] = await balances();
  const repaymentId = await recordWithoutWallet(id, "old");
  expect(await balances()).toEqual([-naira("34,000.00"), wallet]);
  await lender.verify();
  const again = await lender.repay(id, naira("34,000.00"), { channel: "cash", reference: "old" });
  expect([again.replayed, again.repayment.id]).toEqual([true, repaymentId]);
  const back = { accountId: id, amount: naira("400.00"), announce };
  const byWallet = lender.within((tx) => refundCredit(tx, { ...back, channel: "wallet", reference: "w" }));
  await expect(byWallet).rejects.toMatchObject({ code: "refund_channel_mismatch" });
  const command = { ...back, amount: naira("100.00"), channel: "cash", reference: "c" } as const;
  const first = await lender.within((tx) => refundCredit(tx, command));
  expect(await lender.within((tx) => refundCredit(tx, command))).toEqual({ refund: first.refund, replayed: true });
  expect(await balances()).toEqual([-naira("33,900.00"), wallet]);
  await expect(
    lender.within((tx) => reverseRepayment(tx, { accountId: id, repaymentId, reason: "wrong", announce })),
  ).rejects.toMatchObject({ code: "repayment_refunded" });
  const loan = await lender.within((tx) => lockLoan(tx, id));
  expect(paidForReal(loan)).toEqual([]);
  await lender.verify();
});

test("one that was never refunded is taken back from what the merchant owes", async () => {
  const { id } = await lender.lend({ amount: naira("30,000.00"), tenor: 3, tenorType: "monthly" });
  const before = await balances();
  const repaymentId = await recordWithoutWallet(id, "older");
  await lender.within((tx) => reverseRepayment(tx, { accountId: id, repaymentId, reason: "wrong", announce }));
  expect(await balances()).toEqual(before);
  await lender.verify();
});
