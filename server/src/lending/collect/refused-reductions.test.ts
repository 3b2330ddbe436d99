/** References, twins and refusals of refunded orders. */
import { sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { movedBy, openShop, orderTerms } from "../../../testing/lending/refunds.ts";
import { openSubAccount } from "../../wallets/open-wallet.ts";
import { lenderFundingId } from "../account/loan-account.ts";
import {
  approveLoanAccount,
  cancelLoanAccount,
  rejectLoanAccount,
  returnDisbursement,
  writeOffLoanAccount,
} from "../account/move-loan-account.ts";

const database = await createTestDatabase();

test("the same reference again is answered from the first; other content is refused, naming what differs", async () => {
  const shop = await openShop(database);
  const [id, other] = [await shop.lendOut(), await shop.lendOut()];
  const first = await shop.refund(id, naira("100.00"), { reference: "r" });
  expect(await shop.refund(id, naira("100.00"), { reference: "r" })).toEqual({ ...first, replayed: true });
  await expect(shop.refund(id, naira("100.01"), { reference: "r", reason: "Other" })).rejects.toMatchObject({
    code: "reference_conflict",
    data: { fields: ["amount", "reason"] },
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
  const shop = await openShop(database);
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
  const shop = await openShop(database);
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
  const shop = await openShop(database);
  const id = await shop.lendOut();
  await expect(shop.refund(id, naira("60,000.01"), { reference: "much" })).rejects.toMatchObject({
    code: "refund_exceeds_loan",
    status: 422,
    data: { refundable: 60_000 },
  });
  expect((await shop.refund(id, naira("1.00"), { reference: "much" })).replayed).toBe(false);
  await shop.prove(id);
});

test("too little money in the wallet refuses, and what is no wallet of the merchant's cannot pay", async () => {
  const shop = await openShop(database);
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
  const shop = await openShop(database);
  const { announce, within } = shop;
  const act = (id: string, step: typeof approveLoanAccount) => within((tx) => step(tx, { accountId: id, announce }));
  const pending = async () => (await shop.open(orderTerms)).id;
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
  const shop = await openShop(database);
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
  const [shop, stranger] = [await openShop(database), await openShop(database)];
  const id = await shop.lendOut();
  await expect(stranger.refund(id, naira("1.00"))).rejects.toThrow("no loan account");
  expect((await shop.read(id)).refundable).toBe(naira("60,000.00"));
});

test("what was refunded can be neither changed nor deleted", async () => {
  const shop = await openShop(database);
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
