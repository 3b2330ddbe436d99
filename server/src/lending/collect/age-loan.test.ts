import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createTestLender, naira, publish, type TestLender } from "../../../testing/lending/lending.ts";
import { silentLog } from "../../../testing/work.ts";
import { systemAccountId } from "../../ledger/account.ts";
import { readBalances } from "../../ledger/balance.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import { prepareJobs } from "../../platform/work/jobs-schema.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import { ageTask } from "../account/change-loan.ts";
import { explain } from "../explain/explain.ts";
import { ageLoans, lendingSweepSources, lendingTaskKinds } from "./age-loan.job.ts";

const database = await createTestDatabase();
await prepareJobs(database.ownerUrl, lendingTaskKinds);
const terms = { amount: naira("30,000.00"), tenor: 3, tenorType: "monthly" } as const;

async function incomeOf(lender: TestLender): Promise<bigint> {
  const id = systemAccountId(lender.environmentId, "interest_income");
  return (await lender.within((tx) => readBalances(tx, [id]))).get(id) ?? 0n;
}

test("interest becomes income when the due date begins in Lagos, not a moment before", async () => {
  const lender = await createTestLender(database);
  await lender.lend(terms);
  await lender.advanceTo("2026-02-27T22:59:59.999Z");
  expect(await incomeOf(lender)).toBe(0n);
  await lender.advanceTo("2026-02-27T23:00:00Z");
  expect(await incomeOf(lender)).toBe(naira("1,200.00"));
  await lender.verify();
});

test("interest that was paid before it fell due is unearned until then", async () => {
  const lender = await createTestLender(database);
  const { id } = await lender.lend(terms);
  await lender.repay(id, naira("12,000.00"));
  expect(await incomeOf(lender)).toBe(0n);
  await lender.verify();
  await lender.advanceTo("2026-03-01T00:00:00Z");
  expect(await incomeOf(lender)).toBe(naira("1,200.00"));
  await lender.verify();
});

test("a day of grace passes before a loan is overdue, and the late fee is charged once", async () => {
  const lender = await createTestLender(database);
  const { id } = await lender.lend(terms);
  await lender.advanceTo("2026-03-01T22:59:59.999Z");
  expect((await lender.read(id)).account.status).toBe("active");
  await lender.advanceTo("2026-03-01T23:00:00Z");
  const late = await lender.read(id);
  expect(late.account.status).toBe("overdue");
  expect(late.instalments.map(({ status, lateFee }) => [status, lateFee])).toEqual([
    ["overdue", naira("112.00")],
    ["pending", 0n],
    ["pending", 0n],
  ]);
  await lender.repay(id, naira("5,000.00"));
  for (let again = 0; again < 3; again += 1) {
    await lender.within((tx) => ageLoans(tx, [{ subject: id, within: (work) => work() }], lender.announce));
  }
  await lender.advanceTo("2026-03-20T00:00:00Z");
  expect((await lender.read(id)).figures.lateFees).toBe(naira("112.00"));
  expect(lender.heard.filter(({ what }) => what === "late_fee_charged")).toHaveLength(1);
  await lender.verify();
});

test("a late fee is at least the minimum, and a product without one charges none", async () => {
  const lender = await createTestLender(database);
  const small = await lender.lend({ amount: naira("1,000.00"), tenor: 1, tenorType: "weekly" });
  const product = await publish(lender, { lateFee: { rate: 0n, minimum: naira("0.00") } });
  const free = await lender.lend({ amount: naira("1,000.00"), tenor: 1, tenorType: "weekly" }, product);
  await lender.advanceTo("2026-02-20T00:00:00Z");
  expect((await lender.read(small.id)).figures.lateFees).toBe(naira("100.00"));
  expect(await lender.read(free.id)).toMatchObject({ account: { status: "overdue" }, figures: { lateFees: 0n } });
  await lender.verify();
});

test("paying what is overdue makes the loan active again", async () => {
  const lender = await createTestLender(database);
  const { id } = await lender.lend(terms);
  await lender.advanceTo("2026-03-05T09:00:00Z");
  await lender.repay(id, naira("11,311.99"));
  expect((await lender.read(id)).account.status).toBe("overdue");
  await lender.repay(id, naira("0.01"));
  expect((await lender.read(id)).account.status).toBe("active");
});

test("who looks at a loan late finds everything that should have happened", async () => {
  const [prompt, tardy] = [await createTestLender(database), await createTestLender(database)];
  const [seen, missed] = [await prompt.lend(terms), await tardy.lend(terms)];
  await tardy.within((tx) => cancelScheduled(tx, ageTask, [missed.id]));
  for (const lender of [prompt, tardy]) await lender.advanceTo("2026-06-10T09:00:00Z");
  await tardy.within((tx) => ageLoans(tx, [{ subject: missed.id, within: (work) => work() }], tardy.announce));
  const [one, other] = [await prompt.read(seen.id), await tardy.read(missed.id)];
  expect(other.figures).toEqual(one.figures);
  expect(other.ageing).toMatchObject({ daysPastDue: 102, bucket: "over_90", overdueInstalments: [1, 2, 3] });
  expect(await incomeOf(tardy)).toBe(await incomeOf(prompt));
  await tardy.verify();
});

test("a loan that lost its place on the agenda is swept back, one that time cannot change is left alone", async () => {
  const lender = await createTestLender(database);
  const [lost, done] = [await lender.lend(terms), await lender.lend(terms)];
  await lender.repay(done.id, naira("33,600.00"));
  await lender.within((tx) => cancelScheduled(tx, ageTask, [lost.id, done.id]));
  expect(await sweep(database.db, lendingSweepSources, silentLog)).toBe(1);
  await lender.advanceTo("2026-03-05T09:00:00Z");
  expect((await lender.read(lost.id)).account.status).toBe("overdue");
});

test("a settled loan leaves nothing on the agenda", async () => {
  const lender = await createTestLender(database);
  const { id } = await lender.lend(terms);
  expect((await lender.clock.read(lender.environmentId)).nextDueAt).not.toBeNull();
  await lender.repay(id, naira("33,600.00"));
  expect((await lender.clock.read(lender.environmentId)).nextDueAt).toBeNull();
});

test("on a stopped clock equal inputs give equal changes, ids and postings", async () => {
  const play = async (): Promise<string> => {
    const lender = await createTestLender(database, { seed: "equal" });
    const { id } = await lender.lend(terms);
    await lender.advanceTo("2026-03-10T09:00:00Z");
    await lender.repay(id, naira("20,000.00"));
    await lender.advanceTo("2026-08-01T09:00:00Z");
    const { postings } = await lender.within((tx) => explain(tx, id, "balance"));
    const told = { heard: lender.heard, postings };
    // Wallets and system accounts have ids of their environment's own.
    return JSON.stringify(told, (name, value: unknown) => {
      if (name === "accountId" || name === "walletId" || name === "productId") return undefined;
      return typeof value === "bigint" ? String(value) : value;
    });
  };
  expect(await play()).toBe(await play());
});
