import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createTestLender, naira } from "../../../testing/lending/lending.ts";
import type { Tx } from "../../platform/database/database.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { canMove, type LoanAccount, type LoanStatus, loanTransitions } from "./loan-account.ts";
import {
  approveLoanAccount,
  cancelLoanAccount,
  disburseLoanAccount,
  type LoanCommand,
  rejectLoanAccount,
  returnDisbursement,
  writeOffLoanAccount,
} from "./move-loan-account.ts";
import { readLoanAccount } from "./read-loan-account.ts";

const database = await createTestDatabase();
const lender = await createTestLender(database);
const { announce } = lender;
const statuses = keysOf(loanTransitions);
const terms = { amount: naira("30,000.00"), tenor: 3, tenorType: "monthly" } as const;

const act = (accountId: string, step: (tx: Tx, command: LoanCommand) => Promise<LoanAccount>): Promise<LoanAccount> =>
  lender.within((tx) => step(tx, { accountId, announce }));

test("the database knows the same states as the transition table", async () => {
  const found = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = 'loan_accounts'::regclass and conname = 'loan_accounts_status_check'`.execute(database.db);
  const known = [...(found.rows[0]?.definition ?? "").matchAll(/'([a-z_]+)'/g)].map(([, word]) => word);
  expect(known.sort()).toEqual([...statuses].sort());
});

/** How a loan gets into each state. */
const ways: Record<Exclude<LoanStatus, "disbursed">, () => Promise<string>> = {
  pending: async () => (await lender.open(terms)).id,
  approved: async () => (await act((await lender.open(terms)).id, approveLoanAccount)).id,
  rejected: async () => (await act((await lender.open(terms)).id, rejectLoanAccount)).id,
  cancelled: async () => (await act((await lender.open(terms)).id, cancelLoanAccount)).id,
  active: async () => (await lender.lend(terms)).id,
  completed: async () => {
    const { id } = await lender.lend(terms);
    await lender.repay(id, naira("33,600.00"));
    return id;
  },
  overdue: async () => {
    const { id } = await lender.lend(terms);
    await lender.clock.advance(lender.environmentId, { days: 35 });
    return id;
  },
  written_off: async () => (await act(await ways.overdue(), writeOffLoanAccount)).id,
};

const commands = [
  ["approve", approveLoanAccount, "approved"],
  ["reject", rejectLoanAccount, "rejected"],
  ["cancel", cancelLoanAccount, "cancelled"],
  ["disburse", disburseLoanAccount, "disbursed"],
  ["write off", writeOffLoanAccount, "written_off"],
] as const;

test.each(keysOf(ways))("a loan that is %s moves where the table says", async (from) => {
  for (const [name, step, to] of commands) {
    const id = await ways[from]();
    // A loan that is out comes back to approved only when the bank returns the money.
    const allowed = canMove(from, to) && !(to === "approved" && from !== "pending");
    const moved = act(id, step);
    if (allowed) expect((await moved).status, name).toBe(to === "disbursed" ? "active" : to);
    else
      await expect(moved, `${name} from ${from}`).rejects.toMatchObject({
        code: "invalid_state",
        data: { status: from },
      });
  }
  await lender.verify();
});

test("figures exist before there is a plan, dates from approval on, and disbursement fixes them", async () => {
  const { id } = await lender.open(terms);
  const pending = await lender.read(id);
  expect(pending.figures).toMatchObject({ totalRepayment: naira("33,600.00"), toRepay: naira("11,200.00") });
  expect([pending.instalments, pending.endDate, pending.account.startDate]).toEqual([[], null, null]);
  const approved = await act(id, approveLoanAccount);
  const { instalments: planned, projected } = await lender.read(id);
  expect(planned).toHaveLength(3);
  expect([pending.projected, projected]).toEqual([planned, planned]);
  await lender.clock.advance(lender.environmentId, { days: 3 });
  const active = await act(id, disburseLoanAccount);
  expect(active.startDate?.toString()).toBe(approved.startDate?.add({ days: 3 }).toString());
  const { instalments, endDate } = await lender.read(id);
  expect(instalments[0]?.dueDate.toString()).toBe(active.startDate?.add({ months: 1 }).toString());
  expect(endDate?.toString()).toBe(active.startDate?.add({ months: 3 }).toString());
});

test("its owner hears of disbursed while it is disbursed, and of active next", async () => {
  const { id } = await lender.open(terms);
  await act(id, approveLoanAccount);
  const seen: (string | undefined)[] = [];
  await lender.within((tx) =>
    disburseLoanAccount(tx, {
      accountId: id,
      announce: async (inside, changes) => {
        for (const { account } of changes) {
          seen.push((await readLoanAccount(inside, account.id))?.account.status, account.status);
        }
      },
    }),
  );
  expect(seen).toEqual(["disbursed", "disbursed", "active", "active"]);
});

test("of two disbursements at once one wins", async () => {
  const id = await ways.approved();
  const both = await Promise.allSettled([act(id, disburseLoanAccount), act(id, disburseLoanAccount)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await lender.verify();
});

test("a disbursement that the bank sends back leaves nothing owed and can be made again", async () => {
  const id = await ways.overdue();
  expect((await lender.read(id)).figures.lateFees).toBe(naira("112.00"));
  await act(id, returnDisbursement);
  const returned = await lender.read(id);
  expect(returned.account).toMatchObject({ status: "approved", disbursedAt: null });
  expect(returned.figures.lateFees).toBe(0n);
  expect(returned.ageing.daysPastDue).toBe(0);
  await lender.verify();
  expect((await act(id, disburseLoanAccount)).status).toBe("active");
  await lender.repay(id, naira("1.00"));
  await expect(act(id, returnDisbursement)).rejects.toMatchObject({ code: "invalid_state" });
  await lender.verify();
});

test("an account that does not exist reads as nothing", async () => {
  expect(await lender.within((tx) => readLoanAccount(tx, tx.environment.clock.newId()))).toBeUndefined();
});
