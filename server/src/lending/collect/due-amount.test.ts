import { expect, test } from "vitest";
import { createTestLending, naira } from "../../../testing/lending/lending.ts";
import { writeOffLoanAccount } from "../account/move-loan-account.ts";
import { checkoutCode, findProduct } from "../pricing/products.ts";
import { dueAmount } from "./due-amount.ts";

const lender = await createTestLending();
const product = await lender.within((tx) => findProduct(tx, checkoutCode));
const terms = { amount: naira("30,000.00"), tenor: 3, tenorType: "monthly" } as const;
const due = async (id: string): Promise<[bigint, string | null]> => {
  const { amount, nextDueDate } = await lender.within((tx) => dueAmount(tx, id));
  return [amount, nextDueDate?.toString() ?? null];
};

test("an instalment is due from the beginning of its day, with what is left of those before it", async () => {
  const { id } = await lender.lend(terms, product);
  expect(await due(id)).toEqual([0n, "2026-02-28"]);
  await lender.advanceTo("2026-02-27T22:59:59.999Z");
  expect(await due(id)).toEqual([0n, "2026-02-28"]);
  await lender.advanceTo("2026-02-27T23:00:00Z");
  expect(await due(id)).toEqual([naira("10,750.00"), "2026-03-31"]);
  await lender.repay(id, naira("10,000.00"), { channel: "card" });
  expect(await due(id)).toEqual([naira("750.00"), "2026-03-31"]);
  await lender.advanceTo("2026-03-31T05:00:00Z");
  // The second instalment, the rest of the first, and the first one's late fee of 1 %.
  expect(await due(id)).toEqual([naira("11,607.50"), "2026-04-30"]);
  await lender.repay(id, naira("11,607.50"), { channel: "card" });
  expect(await due(id)).toEqual([0n, "2026-04-30"]);
  await lender.repay(id, naira("10,750.00"), { channel: "card" });
  expect(await due(id)).toEqual([0n, null]);
});

test("an instalment that was prepaid is passed over", async () => {
  const { id } = await lender.lend(terms, product);
  const { instalments } = await lender.read(id);
  await lender.repay(id, naira("10,750.00"));
  expect(await due(id)).toEqual([0n, instalments[1]?.dueDate.toString()]);
});

test("nothing is due of a loan that is not out", async () => {
  const pending = await lender.open(terms, product);
  expect(await due(pending.id)).toEqual([0n, null]);
  const lost = await lender.lend(terms, product);
  await lender.clock.advance(lender.environmentId, { days: 40 });
  expect((await due(lost.id))[0]).toBeGreaterThan(0n);
  await lender.within((tx) => writeOffLoanAccount(tx, { accountId: lost.id, announce: lender.announce }));
  expect(await due(lost.id)).toEqual([0n, null]);
});

test("an account that does not exist is a bug of who asked", async () => {
  await expect(lender.within((tx) => dueAmount(tx, tx.environment.clock.newId()))).rejects.toThrow("no loan account");
});
