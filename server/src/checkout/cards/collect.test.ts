import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";
import { withCardFaults } from "../../../testing/checkout/card-faults.ts";
import { silentLog } from "../../../testing/work.ts";
import { recordRepayment } from "../../lending/collect/record-repayment.ts";
import { parseNaira, zeroKobo } from "../../money/kobo.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import { deskOf } from "../../rails/desk.ts";
import { booksOf } from "../../sandbox/in-books.ts";
import { loanMoved } from "../follow-loans.ts";
import { announceCheckoutLoan } from "../loans/announce-checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { cardSweepSources, collect } from "./cards.job.ts";

const app = await createBorrowingApp();
const { call, advance } = app;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000_000 } });
const environmentId = app.merchant.environment.id;
const announce = announceCheckoutLoan({ loanMoved });

/** Charges of a loan in their order: amount in naira, outcome, try. */
async function charges(loanId: string) {
  const rows = await app.within((tx) =>
    tx
      .selectFrom("card_charges")
      .select(["amount", "status", "failure_code", "attempt", "created_at"])
      .where("loan_id", "=", loanId)
      .orderBy("id")
      .execute(),
  );
  return rows.map((row) => [Number(row.amount) / 100, row.failure_code ?? row.status, row.attempt]);
}

const failures = (loanId: string) =>
  app.within(async (tx) => {
    const find = tx.selectFrom("events").select("data").where("event", "=", "bnpl.loan.repayment.failed");
    const rows = await find.where("resource_id", "=", loanId).orderBy("resource_version").execute();
    return rows.map(({ data }) => data as Record<string, unknown>);
  });

const read = async (loanId: string) => (await call("GET", `/loans/bnpl/loans/${loanId}`)).json().data;

/** Moves the clock to so many days after the loan's first due date, at seven in Lagos. */
async function afterFirstDueDate(loanId: string, days: number): Promise<void> {
  const first = (await read(loanId)).schedules[0].due_date.slice(0, 10);
  const day = Temporal.PlainDate.from(first).add({ days });
  await advance({ to: `${day.toString()}T06:00:00.000Z` });
}

test("each instalment is charged on its due date, until the loan is paid", async () => {
  const { loanId } = await app.lend("linked", { tenor: 3 });
  await afterFirstDueDate(loanId, -1);
  expect(await charges(loanId)).toEqual([]);
  await afterFirstDueDate(loanId, 0);
  expect(await charges(loanId)).toEqual([[21_500, "successful", 1]]);
  expect((await read(loanId)).balance).toBe(43_000);
  await advance({ days: 62 });
  expect(await charges(loanId)).toEqual(Array(3).fill([21_500, "successful", 1]));
  expect(await app.status(loanId)).toBe("completed");
  expect(await app.heard(loanId)).toEqual([
    "bnpl.loan.created",
    "bnpl.loan.approved",
    "bnpl.loan.disbursed",
    "bnpl.loan.repayment.successful",
    "bnpl.loan.repayment.successful",
    "bnpl.loan.repayment.successful",
    "bnpl.loan.completed",
  ]);
});

test("what the network's books say was taken is what was repaid", async () => {
  const taken = await booksOf(app.pool, environmentId).query(
    "select count(*)::int as n, sum(amount)::bigint as sum from simulated_card.charges",
    [],
  );
  const repaid = await app.within((tx) =>
    tx
      .selectFrom("loan_repayments")
      .select((select) => [select.fn.countAll<bigint>().as("n"), select.fn.sum<string>("amount").as("sum")])
      .where("channel", "=", "card")
      .executeTakeFirstOrThrow(),
  );
  expect(taken.rows[0]).toEqual({ n: Number(repaid.n), sum: BigInt(repaid.sum) });
});

test("a declined charge is tried again after one, three and seven days, and then left to a person", async () => {
  const { loanId } = await app.lend("declines_later", { tenor: 3 });
  await afterFirstDueDate(loanId, 0);
  expect(await charges(loanId)).toEqual([[21_500, "51", 1]]);
  await afterFirstDueDate(loanId, 1);
  expect(await charges(loanId)).toHaveLength(2);
  await afterFirstDueDate(loanId, 2);
  expect(await charges(loanId)).toHaveLength(2);
  await afterFirstDueDate(loanId, 3);
  expect(await charges(loanId)).toHaveLength(3);
  await afterFirstDueDate(loanId, 20);
  // The instalment is late since its day of grace: its fee is asked for as well.
  expect(await charges(loanId)).toEqual([
    [21_500, "51", 1],
    [21_500, "51", 2],
    [21_715, "51", 3],
    [21_715, "51", 4],
  ]);
  const told = await failures(loanId);
  expect(told.map(({ attempt, reason }) => [attempt, reason])).toMatchObject(
    [1, 2, 3, 4].map((attempt) => [attempt, { code: "51" }]),
  );
  expect(told.map(({ next_attempt_at }) => next_attempt_at !== null)).toEqual([true, true, true, false]);
  expect(await app.status(loanId)).toBe("overdue");
});

test("the next due date asks for everything again, on the card that is the default then", async () => {
  const { customerId, loanId } = await app.lend("declines_later", { tenor: 3 });
  await afterFirstDueDate(loanId, 10);
  expect(await charges(loanId)).toHaveLength(4);
  await app.link(customerId, "linked");
  await afterFirstDueDate(loanId, 31);
  const all = await charges(loanId);
  expect(all).toHaveLength(5);
  // Two instalments, and the late fee of the first.
  expect(all.at(-1)).toEqual([43_215, "successful", 1]);
  expect(await app.status(loanId)).toBe("active");
});

test("a new card pays at the next retry", async () => {
  const { customerId, loanId } = await app.lend("declines_later", { tenor: 1 });
  await afterFirstDueDate(loanId, 0);
  await app.link(customerId, "linked");
  await afterFirstDueDate(loanId, 1);
  expect((await charges(loanId)).map(([, outcome]) => outcome)).toEqual(["51", "successful"]);
  expect(await app.status(loanId)).toBe("completed");
});

test("a customer whose card is gone is a failed try, told as card_not_linked", async () => {
  const { customerId, loanId } = await app.lend("linked", { tenor: 1 });
  await app.within((tx) =>
    tx.updateTable("customers").set({ default_card_id: null }).where("id", "=", customerId).execute(),
  );
  await afterFirstDueDate(loanId, 0);
  expect(await charges(loanId)).toEqual([[61_500, "card_not_linked", 1]]);
  expect(await failures(loanId)).toMatchObject([
    { status: "failed", channel: "card", reason: { code: "card_not_linked" } },
  ]);
  await app.link(customerId, "linked");
  await afterFirstDueDate(loanId, 1);
  expect((await charges(loanId)).at(-1)).toEqual([61_500, "successful", 2]);
});

test("what was paid before is not charged, and the next due date is", async () => {
  const { loanId } = await app.lend("linked", { tenor: 3 });
  await app.within(async (tx) => {
    const { accountId } = await requireCheckoutLoan(tx, loanId);
    const amount = parseNaira("21500") ?? zeroKobo;
    await recordRepayment(tx, { accountId, amount, reference: `early-${loanId}`, channel: "cash", announce });
  });
  await afterFirstDueDate(loanId, 5);
  expect(await charges(loanId)).toEqual([]);
  await afterFirstDueDate(loanId, 32);
  expect(await charges(loanId)).toEqual([[21_500, "successful", 1]]);
});

test("a loan that is paid between two tries is not charged again", async () => {
  const { loanId } = await app.lend("declines_later", { tenor: 1 });
  await afterFirstDueDate(loanId, 0);
  await app.within(async (tx) => {
    const { accountId } = await requireCheckoutLoan(tx, loanId);
    const amount = parseNaira("61500") ?? zeroKobo;
    await recordRepayment(tx, { accountId, amount, reference: `cash-${loanId}`, channel: "cash", announce });
  });
  expect(await app.status(loanId)).toBe("completed");
  await afterFirstDueDate(loanId, 15);
  expect(await charges(loanId)).toHaveLength(1);
});

test("a year that passes at once charges every instalment once", async () => {
  const { loanId } = await app.lend("linked", { tenor: 12 });
  await advance({ days: 400 });
  const all = await charges(loanId);
  expect(all).toHaveLength(12);
  expect(all.every(([, outcome]) => outcome === "successful")).toBe(true);
  expect(await app.status(loanId)).toBe("completed");
});

test("what fell due while the network owed an answer is asked for the morning after it came", async () => {
  const { loanId } = await app.lend("linked", { tenor: 3 });
  const first = Temporal.PlainDate.from((await read(loanId)).schedules[0].due_date.slice(0, 10));
  // Five in the morning of the due date, an hour before the collection.
  await advance({ to: `${first.toString()}T04:00:00.000Z` });
  await app.within(async (tx) => {
    const past = new Date(tx.environment.clock.now().getTime() - 1);
    await tx.updateTable("card_collections").set({ next_at: past }).where("loan_id", "=", loanId).execute();
  });
  const { rail } = app.rails.simulatedCard;
  const deps = { db: app.db, sealer: app.dependencies.sealer, log: silentLog, announce };
  const dying = withCardFaults(rail, { crashBeforeCharge: 1 }).rail;
  const begin = collect({ ...deps, rails: { card: deskOf({ SANDBOX: dying, LIVE: null }) } }, environmentId, loanId);
  await expect(begin).rejects.toThrow("died");
  await afterFirstDueDate(loanId, 40);
  expect(await charges(loanId)).toEqual([[21_500, "processing", 1]]);
  expect(await sweep(app.db, cardSweepSources, silentLog)).toBe(1);
  await advance({ days: 1 });
  // With the second instalment the late fees of both.
  expect(await charges(loanId)).toEqual([
    [21_500, "successful", 1],
    [21_930, "successful", 1],
  ]);
  await afterFirstDueDate(loanId, 62);
  expect(await app.status(loanId)).toBe("completed");
});
