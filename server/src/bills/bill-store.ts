/** Reading and writing bills. */

import { type RawBuilder, sql } from "kysely";
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Row } from "../platform/database/row.ts";
import { unawaited } from "../platform/database/unawaited.ts";
import type { BillCategory, MeterType } from "../rails/biller.ts";
import type { OrderQueue } from "../rails/order-queue.ts";
import { mainWalletId } from "../wallets/wallet.ts";
import type { Bill, BillStatus, SubscriptionType } from "./bill.ts";

export const billColumns = [
  "environment_id",
  "source_account_id",
  "id",
  "reference",
  "category",
  "provider",
  "product_code",
  "product_name",
  "customer",
  "customer_name",
  "phone_number",
  "meter_type",
  "subscription_type",
  "amount",
  "fee",
  "commission",
  "catalogue_version",
  "status",
  "version",
  "token",
  "units",
  "receipt_number",
  "failure_code",
  "failure_message",
  "created_at",
  "updated_at",
  "completed_at",
  "connection_id",
  "request_id",
] as const;

export type BillRow = Row<"bills", (typeof billColumns)[number]>;

/** The columns for a statement that calls the table `b`. */
export const billColumnList = sql.join(billColumns.map((column) => sql.ref(`b.${column}`)));

export function toBill(row: BillRow): Bill {
  return {
    id: row.id,
    reference: row.reference,
    sourceAccountId: row.source_account_id ?? mainWalletId(row.environment_id),
    category: row.category as BillCategory,
    provider: row.provider,
    product: { code: row.product_code, name: row.product_name },
    customer: { identifier: row.customer, name: row.customer_name },
    phoneNumber: row.phone_number,
    meterType: row.meter_type as MeterType | null,
    subscriptionType: row.subscription_type as SubscriptionType | null,
    amount: kobo(row.amount),
    fee: kobo(row.fee),
    commission: kobo(row.commission),
    catalogueVersion: row.catalogue_version,
    status: row.status as BillStatus,
    version: row.version,
    token: row.token,
    units: row.units,
    receiptNumber: row.receipt_number,
    failureReason:
      row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? row.failure_code },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    connectionId: row.connection_id,
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

interface NewBills {
  readonly records: readonly Bill[];
  /** The list position of the first. */
  readonly firstPosition: RawBuilder<bigint>;
  /** Whether a worker may take them up at once; otherwise the agenda brings them. */
  readonly claimable: boolean;
}

/** For how long a bill that starts with its acceptance is its process's: if that is killed, the biller is asked. */
const startedLeaseSeconds = 20;

/**
 * Writes accepted bills in one statement: JSON is the cheapest way to hand many rows over. One that has a request id is
 * claimed by its writer.
 */
export async function insertBills(tx: Tx, { records: bills, firstPosition, claimable }: NewBills): Promise<void> {
  const rows = bills.map((bill, index) => ({
    ...bill,
    productCode: bill.product.code,
    productName: bill.product.name,
    customer: bill.customer.identifier,
    customerName: bill.customer.name,
    amount: String(bill.amount),
    fee: String(bill.fee),
    commission: String(bill.commission),
    place: index,
  }));
  const insert = sql`
    insert into bills (environment_id, id, reference, category, provider, product_code, product_name, customer,
      customer_name, phone_number, meter_type, subscription_type, amount, fee, commission, catalogue_version, status,
      version, request_id, sent_at, list_position, created_at, updated_at, source_account_id, claim_at)
    select ${tx.environment.id}::uuid, b.id, b.reference, b.category, b.provider, b."productCode", b."productName",
      b.customer, b."customerName", b."phoneNumber", b."meterType", b."subscriptionType", b.amount, b.fee,
      b.commission, b."catalogueVersion", b.status, b.version, b."requestId",
      case when b."requestId" is not null then b."createdAt" end, ${firstPosition} + b.place, b."createdAt",
      b."updatedAt", b."sourceAccountId",
      case when ${claimable}::boolean then clock_timestamp()
        + case when b."requestId" is null then interval '0' else make_interval(secs => ${startedLeaseSeconds}) end end
    from json_to_recordset(${JSON.stringify(rows)}::json) as b (id uuid, reference text, category text,
      provider text, "productCode" text, "productName" text, customer text, "customerName" text, "phoneNumber" text,
      "meterType" text, "subscriptionType" text, amount bigint, fee bigint, commission bigint,
      "catalogueVersion" integer, status text, version integer, "requestId" text, place bigint,
      "createdAt" timestamptz, "updatedAt" timestamptz, "sourceAccountId" uuid)`;
  await unawaited(() => insert.execute(tx));
}

export async function findBill(tx: Tx, id: string): Promise<Bill | undefined> {
  const row = await tx
    .selectFrom("bills")
    .select(billColumns)
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? undefined : toBill(row);
}
