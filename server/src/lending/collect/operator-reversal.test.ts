import pg from "pg";
import { expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { readTenantTables, sampleInsert } from "../../../testing/platform/tenant-samples.ts";

const app = await createTestApp();
const shared = "01998a4e-7b5a-7cde-8f01-23456789abcd";

/** Rows of two sandboxes under one id, as two clocks that stand still under one seed make them. */
async function plantTwice(name: string): Promise<void> {
  const owner = new pg.Client({ connectionString: app.ownerUrl });
  await owner.connect();
  try {
    const table = (await readTenantTables(owner)).find((one) => one.name === name);
    if (table === undefined) throw new Error(`there is no table ${name}`);
    await owner.query("begin; set local session_replication_role = replica");
    for (const { environment } of [app.merchant, app.otherMerchant]) {
      await owner.query(sampleInsert(table, environment.id));
      await owner.query(`update ${name} set id = $1 where environment_id = $2`, [shared, environment.id]);
    }
    await owner.query("commit");
  } finally {
    await owner.end();
  }
}

test.each([
  ["loans", "public.loan_requests"],
  ["checkout-loans", "public.checkout_loans"],
])("of two %s with one id an operator reverses neither's repayment", async (collection, table) => {
  await plantTwice(table);
  const path = `/operator/${collection}/${shared}/repayments/${shared}/reverse`;
  const reply = await app.operate("POST", path, { reason: "Bounced" });
  expect([reply.statusCode, reply.json().code]).toEqual([409, "invalid_state"]);
  expect(reply.json().message).toContain("Several sandboxes");
});
