/** What bills tell in a trace. */
import { sql } from "kysely";
import { nairaNumber } from "../money/kobo.ts";
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";
import { maskDigits } from "../platform/redact.ts";
import { type AskedOrder, readAsked } from "../rails/order-records.ts";
import { lifeOf, orderSteps, turnsOfOrder } from "../rails/order-steps.ts";
import type { Bill } from "./vending/bill.ts";
import { billQueue } from "./vending/bill-store.ts";

export const billTrace: TraceSource = {
  records: [{ kind: "bill", table: "bills" }],
  turns: { ...turnsOfOrder("bill", ["successful", "failed"]), "bill.commission": 3, "bill.commission_reversed": 4 },
  async tell(tx, { ids, decided }) {
    const bills = await readAsked(tx, billQueue, sql`t.id = any (${ids}::uuid[])`, ids.length);
    return {
      steps: bills.flatMap((traced) => billSteps(traced, decided.has(traced.order.id))),
      orders: bills.flatMap(({ order: { requestId } }) => requestId ?? []),
    };
  },
};

function billSteps(traced: AskedOrder<Bill>, decided: boolean): TraceStep[] {
  const { order: bill } = traced;
  const asked = {
    category: bill.category,
    provider: bill.provider,
    product: bill.product.code,
    customer: maskDigits(bill.customer.identifier),
    amount: nairaNumber(bill.amount),
    requestId: bill.requestId,
  };
  // The token of a meter is worth money: the record shows it, a trace need not.
  const given = { receiptNumber: bill.receiptNumber, units: bill.units };
  const order = { ids: { bill: bill.id }, rail: "the biller", asked, done: "successful", given, decided };
  return [priceStep(bill), ...orderSteps({ ...lifeOf(traced), ...order })];
}

function priceStep({ id, createdAt, amount, fee, commission, catalogueVersion }: Bill): TraceStep {
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
