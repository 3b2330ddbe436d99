import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createTestLender, naira } from "../../../testing/lending/lending.ts";
import type { LoanTerms } from "../pricing/product.ts";
import { checkoutCode, findProduct } from "../pricing/products.ts";
import { approveLoanAccount, cancelLoanAccount } from "./move-loan-account.ts";
import { changeLoanTerms } from "./open-loan-account.ts";

const database = await createTestDatabase();
const lender = await createTestLender(database);
const { announce } = lender;
const product = await lender.within((tx) => findProduct(tx, checkoutCode));
const terms = { amount: naira("60,000.00"), tenor: 3, tenorType: "monthly" } as const;
const change = (accountId: string, wanted: LoanTerms) =>
  lender.within((tx) => changeLoanTerms(tx, { accountId, terms: wanted }));

test("a pending loan takes another tenor, and its figures follow", async () => {
  const { id } = await lender.open(terms, product);
  const changed = await change(id, { ...terms, tenor: 6 });
  expect(changed).toMatchObject({ tenor: 6, version: 2, status: "pending", productVersion: 1 });
  const { account, figures, instalmentAmount } = await lender.read(id);
  expect(account).toEqual(changed);
  expect([figures.totalInterest, instalmentAmount]).toEqual([naira("9,000.00"), naira("11,500.00")]);
  const approved = await lender.within((tx) => approveLoanAccount(tx, { accountId: id, announce }));
  expect(approved.version).toBe(3);
  expect((await lender.read(id)).instalments).toHaveLength(6);
  await lender.verify();
});

test("the same terms again change nothing", async () => {
  const { id } = await lender.open(terms, product);
  expect((await change(id, terms)).version).toBe(1);
});

test("changes at once come one after another, each under a version of its own", async () => {
  const { id } = await lender.open(terms, product);
  const changed = await Promise.all([1, 6, 9, 12].map((tenor) => change(id, { ...terms, tenor })));
  expect(changed.map(({ version }) => version).sort()).toEqual([2, 3, 4, 5]);
  const last = changed.find(({ version }) => version === 5);
  expect((await lender.read(id)).account.tenor).toBe(last?.tenor);
});

test("from approval on terms stand, and a cancelled loan has none to change", async () => {
  const [approved, cancelled] = [await lender.open(terms, product), await lender.open(terms, product)];
  await lender.within((tx) => approveLoanAccount(tx, { accountId: approved.id, announce }));
  await lender.within((tx) => cancelLoanAccount(tx, { accountId: cancelled.id, announce }));
  for (const [{ id }, status] of [[approved, "approved"] as const, [cancelled, "cancelled"] as const]) {
    await expect(change(id, { ...terms, tenor: 6 })).rejects.toMatchObject({
      code: "invalid_state",
      data: { status },
    });
  }
  expect((await lender.read(approved.id)).account.tenor).toBe(3);
});

test("terms that the product does not offer are a bug of who checked them", async () => {
  const { id } = await lender.open(terms, product);
  await expect(change(id, { ...terms, tenor: 13 })).rejects.toThrow("does not offer");
  await expect(change(id, { ...terms, tenorType: "weekly" })).rejects.toThrow("does not offer");
  expect((await lender.read(id)).account).toMatchObject({ tenor: 3, version: 1 });
});

test("another merchant's sandbox does not see the loan", async () => {
  const { id } = await lender.open(terms, product);
  const stranger = await createTestLender(database);
  await expect(stranger.within((tx) => changeLoanTerms(tx, { accountId: id, terms }))).rejects.toThrow(
    "no loan account",
  );
});
