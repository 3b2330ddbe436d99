import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { kobo } from "../../money/kobo.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { findPayment, movePayment, recordOrders } from "./simulated-bank-store.ts";
import { type PaymentStatus, paymentTransitions, responseCodes, statusesBefore } from "./simulated-payment.ts";

const { pool, ownerUrl } = await createTestDatabase();
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

const statuses = keysOf(paymentTransitions);
const sandbox = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
let made = 0;

async function bookedAs(status: PaymentStatus): Promise<string> {
  made += 1;
  const sessionId = String(made).padStart(30, "0");
  const order = {
    environmentId: sandbox,
    sessionId,
    nipCode: "000013",
    accountNumber: "0123456789",
    accountName: "Ada Obi",
    amount: kobo(10_000n),
    narration: "",
    reference: "r",
  };
  const recording = { status, responseCode: responseCodes[status], paysAt: null };
  await recordOrders(pool, order.environmentId, [{ ...order, recording }]);
  return sessionId;
}

test("the table of transitions names the states that the books allow", async () => {
  const found = await owner.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = 'simulated_bank.payments'::regclass and conname = 'payments_status_check'`,
  );
  const allowed = [...(found.rows[0]?.definition ?? "").matchAll(/'(\w+)'/g)].map((match) => match[1]);
  expect(allowed.sort()).toEqual([...statuses].sort());
});

describe.each(statuses)("from %s", (from) => {
  test.each(statuses)("to %s moves only if the table says so", async (to) => {
    const sessionId = await bookedAs(from);
    const after = await movePayment(pool, sandbox, sessionId, to);
    const moves = statusesBefore(to).includes(from);
    expect(after?.status).toBe(moves ? to : from);
    expect((await findPayment(pool, sandbox, sessionId))?.status).toBe(moves ? to : from);
  });
});
