import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createBillsApp } from "../../../testing/payments/bills-app.ts";
import { asOwner } from "../../../testing/work.ts";
import { systemAccountId } from "../../ledger/account.ts";
import { readBalances } from "../../ledger/balance.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { billCategories } from "../../rails/biller.ts";
import { billStatuses, billTransitions, canMove } from "./bill.ts";
import { settleBill } from "./settle-bill.ts";

const app = await createBillsApp();
const owner = new pg.Client({ connectionString: app.ownerUrl });
await owner.connect();
afterAll(() => owner.end());

async function allowedBy(constraint: string): Promise<string[]> {
  const found = await owner.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = 'bills'::regclass and conname = $1`,
    [constraint],
  );
  return [...(found.rows[0]?.definition ?? "").matchAll(/'(\w+)'/g)].map((match) => match[1] ?? "").sort();
}

describe("the table of transitions", () => {
  test("and the categories are those that the database allows", async () => {
    expect(await allowedBy("bills_status_check")).toEqual([...billStatuses].sort());
    expect(await allowedBy("bills_category_check")).toEqual([...billCategories].sort());
  });

  test("has two ends besides reversal", () => {
    expect(billStatuses.filter((status) => billTransitions[status].length === 0)).toEqual(["failed", "reversed"]);
    expect(canMove("pending", "failed")).toBe(false);
  });

  test("is the law for everything that settles", async () => {
    const impossible = {
      environment: "SANDBOX",
      from: "failed",
      to: "successful",
      failure: null,
      delivery: null,
    } as const;
    const settle = inEnvironment(app.db, app.merchant.environment.id, (tx) =>
      settleBill.plan(tx, [{ id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", ...impossible }]),
    );
    await expect(settle).rejects.toThrow("cannot go from failed to successful");
  });
});

test("a fee is debited with the amount, earned on success and given back on reversal", async () => {
  await asOwner(
    app.ownerUrl,
    `insert into bill_rates (category, version, effective_from, created_at, commission_basis_points, fee, source)
     values ('electricity', 2, '2021-01-01', '2021-01-01', 100, 10000, 'test')`,
  );
  const environmentId = app.merchant.environment.id;
  const income = systemAccountId(environmentId, "fee_income");
  const earned = async () =>
    (await inEnvironment(app.db, environmentId, (tx) => readBalances(tx, [income]))).get(income);
  const before = await app.balance();
  const { data } = (await app.vend("electricity")).json();
  expect(data).toMatchObject({ amount: 5000, fee: 100, commission: 50, totalDebited: 5100 });
  expect((await app.balance()).held).toBe(5100);
  await app.work();
  expect(await earned()).toBe(10_000n);
  expect(await app.balance()).toEqual({ available: before.available - 5050, held: 0 });
  await app.call("POST", `/sandbox/bills/${data.id}/reverse`);
  expect(await earned()).toBe(0n);
  expect(await app.balance()).toEqual(before);
  expect(await app.differences()).toEqual([]);
});
