import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createTestLender, naira, type TestLender } from "../../../testing/lending/lending.ts";
import { silentLog } from "../../../testing/work.ts";
import { createDatabase, createPool, type Database } from "../../platform/database/database.ts";
import { type ClockControl, createClockControl } from "../../platform/time/clock-control.ts";
import { setClock } from "../../platform/time/clock-setting.ts";
import { createEnvironmentLocks } from "../../platform/time/environment-lock.ts";
import type { LoanChange } from "../account/loan-account.ts";
import { ageLoans, lendingTasks } from "./age-loan.job.ts";

const database = await createTestDatabase();
const locks = createEnvironmentLocks({ url: database.appUrl });
afterAll(() => locks.close());

/** Runs a lender's tasks each in a transaction of its own. */
function oneByOne(lender: TestLender): ClockControl {
  const kinds = lendingTasks({ db: database.db, announce: lender.announce });
  const alone = kinds.map(([name, { handle }]) => [name, { handle }] as const);
  return createClockControl({ db: database.db, log: silentLog, locks, kinds: new Map(alone) });
}

const words = (changes: readonly LoanChange[]): string[] =>
  changes.map((change) => `${change.account.id} ${change.account.version} ${change.what} ${change.account.status}`);

/** Every row that ageing writes, but for the environment and the numbers that the database gives. */
async function rowsOf({ within, environmentId }: TestLender): Promise<string[]> {
  return within(async (tx) => {
    const found = await sql<{ line: string }>`
      select concat_ws(' ', 'account', id, status, version, accrued, updated_at, ages_at) as line from loan_accounts
      union all select concat_ws(' ', 'instalment', account_id, number, late_fee, late_fee_at) from loan_instalments
      union all select concat_ws(' ', 'posting', id, kind, resource_id, narration, posted_at) from ledger_transactions
        where kind <> 'lender.funded'
      union all select concat_ws(' ', 'agenda', kind, subject, due_at, stream) from agenda
      order by line`.execute(tx);
    return found.rows.map(({ line }) => line.replaceAll(environmentId, "environment"));
  });
}

async function lendTo(lender: TestLender): Promise<void> {
  for (const tenor of [3, 4, 4, 6]) {
    await lender.lend({ amount: naira("60,000.00"), tenor, tenorType: "weekly" });
  }
  const paid = await lender.lend({ amount: naira("60,000.00"), tenor: 4, tenorType: "weekly" });
  await lender.repay(paid.id, naira("62,400.00"));
}

test("loans that age together come to what they come to one by one, to the id", async () => {
  const [together, apart] = [await createTestLender(database), await createTestLender(database)];
  for (const lender of [together, apart]) {
    await lendTo(lender);
    lender.heard.length = 0;
  }
  const advance = { to: new Date("2026-04-30T09:00:00Z") };
  const ranTogether = await together.clock.advance(together.environmentId, advance);
  const ranApart = await oneByOne(apart).advance(apart.environmentId, advance);
  expect(ranTogether.ran).toBe(ranApart.ran);
  expect(ranTogether.ran).toBeGreaterThan(25);
  expect(words(together.heard)).toEqual(words(apart.heard));
  expect(await rowsOf(together)).toEqual(await rowsOf(apart));
  await together.verify();
});

test("a loan that cannot be aged stops the clock at its time, and the others of that moment are done", async () => {
  const lender = await createTestLender(database);
  await lendTo(lender);
  const failing = lendingTasks({ db: database.db, announce: lender.announce }).map(
    ([name, { handle }]) =>
      [
        name,
        {
          handle: (task: Parameters<typeof handle>[0]) =>
            task.subject === broken ? Promise.reject(new Error("broken")) : handle(task),
          handleTogether: () => Promise.reject(new Error("one of them is broken")),
        },
      ] as const,
  );
  const due = await lender.within((tx) =>
    tx.selectFrom("agenda").select(["subject", "due_at"]).orderBy("due_at").orderBy("id").execute(),
  );
  const broken = due[1]?.subject ?? "";
  const clock = createClockControl({ db: database.db, log: silentLog, locks, kinds: new Map(failing) });
  await expect(clock.advance(lender.environmentId, { days: 30 })).rejects.toMatchObject({
    code: "clock_task_failed",
    data: { subject: broken },
  });
  expect((await clock.read(lender.environmentId)).now).toEqual(due[1]?.due_at);
  await lender.advanceTo("2026-04-30T09:00:00Z");
  await lender.verify();
});

/** A database whose statements are counted. */
function countingDatabase(): { readonly db: Database; statements(): number } {
  const pool = createPool({ url: database.appUrl, poolSize: 4 });
  let statements = 0;
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      statements += 1;
      return query(...given);
    }) as typeof client.query;
  });
  const db = createDatabase(pool);
  afterAll(() => db.destroy());
  return { db, statements: () => statements };
}

test("twenty unpaid loans take a few statements a moment, late fees included", async () => {
  const lender = await createTestLender(database);
  for (let loan = 0; loan < 20; loan += 1) {
    await lender.lend({ amount: naira("60,000.00"), tenor: 12, tenorType: "weekly" });
  }
  await lender.advanceTo("2026-03-01T09:00:00Z");
  const { db, statements } = countingDatabase();
  const kinds = new Map(lendingTasks({ db, announce: lender.announce }));
  const before = lender.heard.length;
  const clock = createClockControl({ db, log: silentLog, locks, kinds });
  const { ran } = await clock.advance(lender.environmentId, { to: new Date("2026-03-29T09:00:00Z") });
  expect(ran).toBe(160);
  expect(lender.heard.slice(before).filter(({ what }) => what === "late_fee_charged")).toHaveLength(80);
  expect(statements() / ran).toBeLessThan(1);
  await lender.verify();
});

test("what others did to a loan between two looks of one run counts", async () => {
  const lender = await createTestLender(database);
  const { id } = await lender.lend({ amount: naira("60,000.00"), tenor: 3, tenorType: "weekly" });
  const run = {};
  const look = async (moment: string): Promise<void> => {
    await lender.within((tx) => setClock(tx, lender.environmentId, { mode: "frozen", now: new Date(moment) }));
    await lender.within((tx) => ageLoans(tx, [{ subject: id, within: (work) => work() }], lender.announce, run));
  };
  await look("2026-02-07T09:00:00Z");
  await lender.repay(id, naira("30,000.00"));
  await look("2026-02-11T09:00:00Z");
  const { account, instalments } = await lender.read(id);
  expect(account.status).toBe("active");
  expect(instalments.map(({ lateFee }) => lateFee)).toEqual([0n, 0n, 0n]);
  await lender.verify();
});
