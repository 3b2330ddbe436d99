/** What bills tell in a trace. */
import { nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind, TraceSource, TraceStep } from "../platform/records/trace.ts";
import { maskDigits } from "../platform/redact.ts";
import { orderSteps, turnsOfOrder } from "../rails/order-steps.ts";
import type { Bill } from "./bill.ts";
import { billColumns, toBill } from "./bill-store.ts";

/** What traces read of bills. */
const tracedBills: readonly TracedKind[] = [{ kind: "bill", table: "bills" }];

interface TracedBill {
  readonly bill: Bill;
  readonly sentAt: Date | null;
  readonly queries: number;
}

async function readBillsOf(tx: Tx, ids: readonly string[]): Promise<TracedBill[]> {
  const rows = await tx
    .selectFrom("bills")
    .select([...billColumns, "sent_at", "queries"])
    .where("environment_id", "=", tx.environment.id)
    .where("id", "in", ids)
    .orderBy("id")
    .limit(ids.length)
    .execute();
  return rows.map((row) => ({ bill: toBill(row), sentAt: row.sent_at, queries: row.queries }));
}

export const billTrace: TraceSource = {
  records: tracedBills,
  turns: { ...turnsOfOrder("bill", ["successful", "failed"]), "bill.commission": 3, "bill.commission_reversed": 4 },
  async tell(tx, { ids, decided }) {
    const bills = ids.length === 0 ? [] : await readBillsOf(tx, ids);
    return {
      steps: bills.flatMap((traced) => billSteps(traced, decided.has(traced.bill.id))),
      orders: bills.flatMap(({ bill: { requestId } }) => (requestId === null ? [] : [requestId])),
    };
  },
};

function billSteps({ bill, sentAt, queries }: TracedBill, decided: boolean): TraceStep[] {
  const { status, createdAt, completedAt, updatedAt, failureReason: failure, receiptNumber } = bill;
  const ids = { bill: bill.id };
  const asked = {
    category: bill.category,
    provider: bill.provider,
    product: bill.product.code,
    customer: maskDigits(bill.customer.identifier),
    amount: nairaNumber(bill.amount),
    requestId: bill.requestId,
  };
  // The token of a meter is worth money: the record shows it, a trace need not.
  const given = { receiptNumber, units: bill.units };
  const order = { ids, rail: "the biller", asked, status, done: "successful", failure, given };
  return [priceStep(bill), ...orderSteps({ ...order, createdAt, sentAt, completedAt, updatedAt, queries, decided })];
}

function priceStep({ id, createdAt, amount, fee, commission, catalogueVersion }: TracedBill["bill"]): TraceStep {
  return {
    at: createdAt,
    kind: "check",
    title: "Priced by the list and the rate of the day",
    detail: {
      amount: nairaNumber(amount),
      fee: nairaNumber(fee),
      commission: nairaNumber(commission),
      catalogueVersion,
    },
    ids: { bill: id },
    ok: true,
    turn: 0.5,
  };
}
