/** What bills show as their cost adds up to what the statement took. */
import { expect, test } from "vitest";
import { createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";
import { asOwner } from "../../../testing/work.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";

const app = await createBillsApp();
const { call, vend, read, work } = app;
await asOwner(
  app.ownerUrl,
  `insert into bill_rates (category, version, effective_from, created_at, commission_basis_points, fee, source)
   values ('airtime', 2, '2021-01-01', '2021-01-01', 250, 1000, 'test')`,
);

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

async function lastEventData(id: string): Promise<unknown> {
  const events: { data: { id: string } }[] = (await call("GET", "/events?limit=100")).json().data;
  return events.find(({ data }) => data.id === id)?.data;
}

async function play(ending: string, also?: string): Promise<string> {
  const { id } = (await vend("airtime", { reference: freshReference(ending) })).json().data;
  await work();
  if (also !== undefined) await call("POST", `/sandbox/bills/${id}/${also}`);
  return id;
}

test.each([
  ["successful", "", undefined, { fee: 10, commission: 25, totalDebited: 1010 }],
  ["processing", "_PENDING", undefined, { fee: 10, commission: 25, totalDebited: 1010 }],
  ["failed", "_FAIL", undefined, { fee: 0, commission: 0, totalDebited: 0 }],
  ["reversed", "", "reverse", { fee: 0, commission: 0, totalDebited: 0 }],
])("of a bill that is %s", async (status, ending, also, cost) => {
  const id = await play(ending, also);
  const bill = await read(id);
  expect(bill).toMatchObject({ status, amount: 1000, ...cost });
  const listed: { id: string }[] = (await call("GET", `/bills?status=${status}`)).json().data;
  expect(listed.find((one) => one.id === id)).toEqual(bill);
  const found = await call("POST", "/bills/status", { body: { reference: bill["reference"] } });
  expect(found.json().data).toEqual(bill);
  if (status === "processing") return;
  expect(await statementOf(id)).toBeCloseTo(cost.commission - cost.totalDebited, 2);
  await sequenceEvents(app.db);
  expect(await lastEventData(id)).toEqual(bill);
});
