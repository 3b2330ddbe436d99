import { expect, test } from "vitest";
import { createTestLending, naira } from "../../testing/lending/lending.ts";
import { systemAccountId } from "../ledger/account.ts";
import { post } from "../ledger/post.ts";
import { kobo } from "../money/kobo.ts";
import { verifyLending } from "./verify-lending.ts";

const terms = { amount: naira("30,000.00"), tenor: 3, tenorType: "monthly" } as const;

test("a posting that no loan accounts for is named on both its accounts", async () => {
  const lender = await createTestLending();
  await lender.lend(terms);
  await lender.within((tx) => {
    const id = tx.environment.clock.newId();
    const account = (purpose: "interest_income" | "loan_losses") => systemAccountId(tx.environment.id, purpose);
    return post(tx, {
      id,
      kind: "test.rogue",
      resource: { type: "test", id, reference: null },
      narration: null,
      legs: [
        { accountId: account("interest_income"), amount: kobo(5n) },
        { accountId: account("loan_losses"), amount: kobo(-5n) },
      ],
    });
  });
  expect(await lender.within(verifyLending)).toEqual([
    { check: "balance equals loans", subject: "interest_income", expected: "0", found: "5" },
    { check: "balance equals loans", subject: "loan_losses", expected: "0", found: "-5" },
  ]);
});

test("a loan that was refunded beyond its amount is named", async () => {
  const lender = await createTestLending();
  const { id } = await lender.lend(terms);
  await lender.within((tx) =>
    tx
      .insertInto("loan_reductions")
      .values({
        environment_id: tx.environment.id,
        id: tx.environment.clock.newId(),
        account_id: id,
        sequence: 99,
        reference: "rogue",
        reason: "rogue",
        wallet_id: id,
        amount: 3_000_001n,
        recorded_at: new Date(),
      })
      .execute(),
  );
  const found = await lender.within(verifyLending);
  expect(found).toContainEqual({
    check: "refunds stay within the loan",
    subject: id,
    expected: "at most 3000000",
    found: "3000001",
  });
  // Nothing was posted for it either.
  expect(found).toContainEqual({
    check: "balance equals loans",
    subject: "loan_book",
    expected: "0",
    found: "-3000000",
  });
});

test("a way by which more went back than came is named", async () => {
  const lender = await createTestLending();
  const { id } = await lender.lend(terms);
  const { repayment } = await lender.repay(id, naira("40,000.00"));
  await lender.within((tx) =>
    tx
      .insertInto("loan_credit_refunds")
      .values({
        environment_id: tx.environment.id,
        id: tx.environment.clock.newId(),
        account_id: id,
        sequence: 99,
        reference: "rogue",
        channel: "wallet",
        wallet_id: repayment.walletId,
        repayment_id: null,
        amount: 4_000_001n,
        refunded_at: new Date(),
      })
      .execute(),
  );
  expect(await lender.within(verifyLending)).toContainEqual({
    check: "no more goes back than came",
    subject: `${id} wallet ${repayment.walletId}`,
    expected: "at most 4000000",
    found: "4000001",
  });
});

test("a plan that its product would not give again is named", async () => {
  const lender = await createTestLending();
  const { id } = await lender.lend(terms);
  await lender.within((tx) =>
    tx
      .updateTable("loan_instalments")
      .set({ interest: 120_001n })
      .where("environment_id", "=", tx.environment.id)
      .where("account_id", "=", id)
      .where("number", "=", 2)
      .execute(),
  );
  const [difference] = await lender.within(verifyLending);
  expect(difference).toMatchObject({ check: "plan follows from its product", subject: id });
});
