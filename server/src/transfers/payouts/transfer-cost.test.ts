/** What payouts show as their cost adds up to what the statement took. */
import { expect, test } from "vitest";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";

const { call, pay, work, read } = await createPayingApp();

interface Line {
  readonly direction: "debit" | "credit";
  readonly amount: number;
  readonly resource: { readonly id: string };
}

async function statementOf(id: string): Promise<number> {
  const lines: Line[] = (await call("GET", "/wallets/transactions?limit=100")).json().data;
  const own = lines.filter(({ resource }) => resource.id === id);
  return own.reduce((sum, { direction, amount }) => sum + (direction === "credit" ? amount : -amount), 0);
}

const charged = { fee: 25, vat: 1.88, stampDuty: 50, totalDebit: 20_076.88 };
const nothing = { fee: 0, vat: 0, stampDuty: 0, totalDebit: 0 };

test.each([
  ["completed", "", undefined, charged],
  ["processing", "_PENDING", undefined, charged],
  ["failed", "_FAIL", undefined, nothing],
  ["reversed", "", "reverse", nothing],
])("of a payout that is %s", async (status, ending, also, cost) => {
  const { id } = (await pay({ amount: 20_000, reference: freshReference(ending) })).json().data;
  await work();
  if (also !== undefined) await call("POST", `/sandbox/transfers/${id}/${also}`);
  const transfer = await read(id);
  expect(transfer).toMatchObject({ status, amount: 20_000, ...cost });
  const listed: { id: string }[] = (await call("GET", `/transfers?status=${status}`)).json().data;
  expect(listed.find((one) => one.id === id)).toEqual(transfer);
  const verified = await call("GET", `/transfers/verify?reference=${transfer["reference"]}`);
  expect(verified.json().data).toEqual(transfer);
  expect(await statementOf(id)).toBeCloseTo(-cost.totalDebit, 2);
});
