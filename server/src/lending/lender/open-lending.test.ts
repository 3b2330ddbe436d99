import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant, testOrigin } from "../../../testing/factories.ts";
import { createTestLender, naira, publish } from "../../../testing/lending/lending.ts";
import { readBalances } from "../../ledger/balance.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import { addEnvironment } from "../../merchants/add-environment.ts";
import { inEnvironment, operatorScope, type Tx } from "../../platform/database/database.ts";
import { openEnvironment } from "../../start/open-environment.ts";
import { lenderFundingId } from "../account/loan-account.ts";
import { findProduct, publishProduct } from "../pricing/products.ts";
import { openLending } from "./open-lending.ts";

const database = await createTestDatabase();

const fundsOf = async (tx: Tx): Promise<bigint | undefined> => {
  const id = lenderFundingId(tx.environment.id);
  return (await readBalances(tx, [id])).get(id);
};

test("opening lending twice in a sandbox funds the lender once", async () => {
  const lender = await createTestLender(database);
  await lender.within((tx) => openLending(tx));
  expect(await lender.within(fundsOf)).toBe(naira("1,000,000,000.00"));
  expect((await lender.within((tx) => findProduct(tx))).name).toBe("Standard");
  expect(await lender.within(verifyLedger)).toEqual([]);
});

test("a live lender starts without money", async () => {
  const { merchant } = await createMerchant(database.db);
  const live = await inEnvironment(database.db, operatorScope, (tx) =>
    addEnvironment(tx, {
      merchantId: merchant.id,
      kind: "LIVE",
      name: "Live",
      origin: testOrigin,
      environmentOpened: openEnvironment,
    }),
  );
  expect(await inEnvironment(database.db, live.id, fundsOf)).toBe(0n);
});

test("new terms hold from their date on, and a loan keeps the version it was made with", async () => {
  const lender = await createTestLender(database);
  const standard = await lender.within((tx) => findProduct(tx));
  const effectiveFrom = new Date("2026-03-01T00:00:00Z");
  const dearer = { ...standard, effectiveFrom, tenors: { monthly: { shortest: 1, longest: 24, rate: 50_000n } } };
  await lender.within((tx) => publishProduct(tx, 2, dearer));
  const terms = { amount: naira("10,000.00"), tenor: 2, tenorType: "monthly" } as const;
  const before = await lender.lend(terms);
  await lender.advanceTo("2026-03-01T12:00:00Z");
  const after = await lender.lend(terms);
  expect([before.productVersion, after.productVersion]).toEqual([1, 2]);
  expect((await lender.read(before.id)).figures.totalInterest).toBe(naira("800.00"));
  expect((await lender.read(after.id)).figures.totalInterest).toBe(naira("1,000.00"));
  // Proves too that every plan follows from its product version.
  await lender.verify();
});

test("terms that a product does not offer never become a loan", async () => {
  const lender = await createTestLender(database);
  const small = await publish(lender, { maximumAmount: naira("2,000.00") });
  await expect(lender.open({ amount: naira("2,000.01"), tenor: 1, tenorType: "weekly" }, small)).rejects.toThrow(
    "does not offer",
  );
});
