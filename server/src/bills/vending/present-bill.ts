/** A bill as the API shows it: in replies, in lists and as the data of its events. */

import { nairaNumber } from "../../money/kobo.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { stampsOf } from "../../rails/order-on-wire.ts";
import { type Bill, costOf } from "./bill.ts";

export function presentBill(bill: Bill, environment: EnvironmentKind) {
  const { fee, commission, totalDebited } = costOf(bill);
  return {
    id: bill.id,
    reference: bill.reference,
    sourceAccountId: bill.sourceAccountId,
    category: bill.category,
    provider: bill.provider,
    product: bill.product,
    customer: bill.customer,
    amount: nairaNumber(bill.amount),
    fee: nairaNumber(fee),
    commission: nairaNumber(commission),
    totalDebited: nairaNumber(totalDebited),
    currency: "NGN" as const,
    status: bill.status,
    token: bill.token,
    units: bill.units === null ? null : Number(bill.units),
    receiptNumber: bill.receiptNumber,
    failureReason: bill.failureReason,
    ...stampsOf(bill, environment),
  };
}

export type PresentedBill = ReturnType<typeof presentBill>;
