/** Reading, writing and moving bills. Moves are by compare-and-set, many at a time (`rails/order-records.ts`). */

import { sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import { type CountedList, type ListQuestion, readList } from "../../platform/records/counted-list.ts";
import type { PageRequest } from "../../platform/records/pagination.ts";
import type { SearchedKind } from "../../platform/records/search.ts";
import { lagosTime } from "../../platform/time/lagos-date.ts";
import type { BillCategory, Delivery, MeterType, RequestIdStyle } from "../../rails/biller.ts";
import type { OrderQueue } from "../../rails/order-queue.ts";
import {
  endsOf,
  findOrder,
  insertOrders,
  listOf,
  moveOrders,
  type NewOrders,
  type OrderEnd,
  orderColumns,
  toOrderRecord,
  type WrittenOrders,
} from "../../rails/order-records.ts";
import { mainWalletId } from "../../wallets/wallet.ts";
import { type Bill, type BillStatus, billList, billStatuses, type SubscriptionType } from "./bill.ts";

const billColumns = [
  ...orderColumns,
  "environment_id",
  "category",
  "provider",
  "product_code",
  "product_name",
  "customer",
  "customer_name",
  "phone_number",
  "meter_type",
  "subscription_type",
  "commission",
  "catalogue_version",
  "token",
  "units",
  "receipt_number",
  "request_id",
] as const;

export type BillRow = Row<"bills", (typeof billColumns)[number]>;

function toBill(row: BillRow): Bill {
  return {
    ...toOrderRecord(row),
    sourceAccountId: row.source_account_id ?? mainWalletId(row.environment_id),
    category: row.category as BillCategory,
    provider: row.provider,
    product: { code: row.product_code, name: row.product_name },
    customer: { identifier: row.customer, name: row.customer_name },
    phoneNumber: row.phone_number,
    meterType: row.meter_type as MeterType | null,
    subscriptionType: row.subscription_type as SubscriptionType | null,
    commission: kobo(row.commission),
    catalogueVersion: row.catalogue_version,
    status: row.status as BillStatus,
    token: row.token,
    units: row.units,
    receiptNumber: row.receipt_number,
    requestId: row.request_id,
  };
}

export const billQueue: OrderQueue<Bill, BillRow> = {
  noun: "bill",
  table: "bills",
  columns: billColumns,
  toOrder: toBill,
  laneColumn: "provider",
  laneOf: ({ provider }) => provider,
  leaseSeconds: 120,
};

const written: WrittenOrders<Bill> = {
  table: "bills",
  railId: "request_id",
  railIdOf: ({ requestId }) => requestId,
  own: {
    category: ["text", ({ category }) => category],
    provider: ["text", ({ provider }) => provider],
    product_code: ["text", ({ product }) => product.code],
    product_name: ["text", ({ product }) => product.name],
    customer: ["text", ({ customer }) => customer.identifier],
    customer_name: ["text", ({ customer }) => customer.name],
    phone_number: ["text", ({ phoneNumber }) => phoneNumber],
    meter_type: ["text", ({ meterType }) => meterType],
    subscription_type: ["text", ({ subscriptionType }) => subscriptionType],
    commission: ["bigint", ({ commission }) => String(commission)],
    catalogue_version: ["integer", ({ catalogueVersion }) => catalogueVersion],
  },
};

export function insertBills(tx: Tx, bills: NewOrders<Bill>): Promise<void> {
  return insertOrders(tx, written, bills);
}

export function findBill(tx: Tx, id: string): Promise<Bill | undefined> {
  return findOrder(tx, billQueue, id);
}

/** What it takes to end a bill. */
export interface SettleCommand extends OrderEnd {
  readonly from: BillStatus;
  readonly to: "successful" | "failed" | "reversed";
  /** What the customer got; null unless it was just delivered. */
  readonly delivery: Delivery | null;
}

/** Ends what is still in the expected state. */
export function moveBills(tx: Tx, ends: readonly SettleCommand[]): Promise<Map<string, Bill>> {
  return moveOrders(tx, billQueue, {
    sqlFunction: "move_bills",
    moves: ends,
    lists: (open) => [
      ...endsOf(open),
      listOf(open, "text", ({ delivery }) => delivery?.token ?? null),
      listOf(open, "numeric", ({ delivery }) => delivery?.units ?? null),
      listOf(open, "text", ({ delivery }) => delivery?.receiptNumber ?? null),
    ],
  });
}

export interface Start {
  readonly id: string;
  readonly connectionId: string | null;
  readonly requestIds: RequestIdStyle;
}

/** Waiting bills go to their billers, whatever becomes of them there. */
export function startSending(tx: Tx, starts: readonly Start[]): Promise<Map<string, Bill>> {
  const now = tx.environment.clock.now();
  return moveOrders(tx, billQueue, {
    sqlFunction: "start_bills",
    moves: starts,
    lists: (waiting) => [
      listOf(waiting, "text", (start) => newRequestId(start, now)),
      listOf(waiting, "uuid", ({ connectionId }) => connectionId),
    ],
  });
}

/** The id by which a biller knows a bill, in the style that its rail wants. */
export function newRequestId(bill: { readonly id: string; readonly requestIds: RequestIdStyle }, now: Date): string {
  if (bill.requestIds === "uuid") return bill.id;
  const { year, month, day, hour, minute } = lagosTime(now);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${year}${[month, day, hour, minute].map(two).join("")}${bill.id.replaceAll("-", "")}`;
}

/** Lists of bills (`platform/records/counted-list.ts`). */
const bills: CountedList<Bill, BillRow> = {
  table: "bills",
  columns: billColumns,
  toRecord: toBill,
  resource: billList,
  only: sql`true`,
  statuses: billStatuses,
  open: ["pending", "processing"],
};

/** One page of the environment's bills, newest first. */
export function listBills(
  tx: Tx,
  { category, ...question }: ListQuestion & { readonly category: BillCategory | null },
  page: PageRequest,
) {
  const further = category === null ? [] : [sql`t.category = ${category}`];
  return readList(tx, bills, { ...question, further }, page);
}

/** What can be found of bills. */
export const searchedBills: readonly SearchedKind[] = [
  {
    kind: "bill",
    table: "bills",
    scope: "bills:read",
    path: "/bills/{id}",
    title: sql`t.reference`,
    details: sql`array[t.product_name, t.customer, t.customer_name]`,
    status: sql`t.status`,
    amountColumn: "amount",
    references: [billList],
    newestBy: "list_position",
    exactly: ["customer", "phone_number", "receipt_number", "request_id", "token"],
    text: sql`concat_ws(' ', t.reference, t.customer_name)`,
  },
];
