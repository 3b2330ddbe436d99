/** A sandbox that lends at the checkout, whose merchant refunds orders. */

import { systemAccountId } from "../../src/ledger/account.ts";
import { readBalances } from "../../src/ledger/balance.ts";
import { type LoanChange, lenderFundingId } from "../../src/lending/account/loan-account.ts";
import { type ReduceLoanAccount, reduceLoanAccount } from "../../src/lending/collect/reduce-loan-account.ts";
import { explain, explainableFields } from "../../src/lending/explain/explain.ts";
import { checkoutCode, findProduct } from "../../src/lending/pricing/products.ts";
import type { Kobo } from "../../src/money/kobo.ts";
import { mainWalletId } from "../../src/wallets/wallet.ts";
import type { TestDatabase } from "../database.ts";
import { createTestLender, naira, type TestLender } from "./lending.ts";

export const orderTerms = { amount: naira("60,000.00"), tenor: 3, tenorType: "monthly" } as const;

export interface TestShop extends TestLender {
  lendOut(): Promise<string>;
  refund(accountId: string, amount: Kobo, more?: Partial<ReduceLoanAccount>): ReturnType<typeof reduceLoanAccount>;
  balances(): Promise<Record<string, bigint>>;
  told(since: number): string[];
  /** The books, and that every figure can be explained. */
  prove(accountId: string): Promise<void>;
}

const watched = [
  "loan_book",
  "funds_lent",
  "interest_receivable",
  "loan_fees_receivable",
  "unearned_loan_income",
  "loan_credit",
] as const;

/** Lends on 31 January 2026 60,000.00 over three months at 2.5 %, thus three times 20,000.00 and 1,500.00. */
export async function openShop(database: TestDatabase): Promise<TestShop> {
  const lender = await createTestLender(database);
  const { environmentId, within, announce } = lender;
  const product = await within((tx) => findProduct(tx, checkoutCode));
  let references = 0;
  const accounts: [string, string][] = [
    ["wallet", mainWalletId(environmentId)],
    ["lender_funding", lenderFundingId(environmentId)],
    ...watched.map((purpose: string): [string, string] => [purpose, systemAccountId(environmentId, purpose)]),
  ];
  return {
    ...lender,
    lendOut: async () => (await lender.lend(orderTerms, product)).id,
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

export async function movedBy(shop: TestShop, work: () => Promise<unknown>): Promise<Record<string, bigint>> {
  const before = await shop.balances();
  await work();
  const after = await shop.balances();
  const moved = Object.entries(after).map(([name, amount]): [string, bigint] => [name, amount - (before[name] ?? 0n)]);
  return Object.fromEntries(moved.filter(([, amount]) => amount !== 0n));
}
