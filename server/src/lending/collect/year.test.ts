import { expect, test } from "vitest";
import { createTestLending, naira } from "../../../testing/lending/lending.ts";
import type { LoanChange } from "../account/loan-account.ts";

const words = (changes: readonly LoanChange[]): string[] =>
  changes.map((change) => {
    if (change.what === "moved") return `${change.from} to ${change.account.status}`;
    return change.what === "late_fee_charged" ? `late fee for ${change.instalment}: ${change.amount}` : change.what;
  });

const paid = (times: number): string[] => Array.from({ length: times }, () => "repaid");

test("a year with two missed instalments is played to its end", async () => {
  const lender = await createTestLending();
  const { id } = await lender.lend({ amount: naira("120,000.00"), tenor: 12, tenorType: "monthly" });
  const { instalments } = await lender.read(id);
  lender.heard.length = 0;
  for (const { number, dueDate } of instalments) {
    await lender.advanceTo(`${dueDate}T09:00:00Z`);
    // The third and the fourth are missed, and asked for together with the fifth, which then is next.
    if (number === 3 || number === 4) continue;
    await lender.repay(id, (await lender.read(id)).figures.toRepay);
    if (number === 5) await lender.repay(id, (await lender.read(id)).figures.toRepay);
  }
  expect(words(lender.heard)).toEqual([
    ...paid(2),
    "late fee for 3: 14800",
    "active to overdue",
    "late fee for 4: 14800",
    "repaid",
    "overdue to active",
    ...paid(8),
    "active to completed",
  ]);
  const { figures, account } = await lender.read(id);
  expect(account.status).toBe("completed");
  expect(figures).toMatchObject({ totalRepayment: naira("177,600.00"), lateFees: naira("296.00"), balance: 0n });
  expect(figures.paid).toBe(naira("177,896.00"));
  await lender.verify();
});
