/** What traces read of bills. */
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind } from "../platform/records/trace.ts";
import type { Bill } from "./bill.ts";
import { billColumns, toBill } from "./bill-store.ts";

export const tracedBills: readonly TracedKind[] = [{ kind: "bill", table: "bills" }];

export interface TracedBill {
  readonly bill: Bill;
  readonly sentAt: Date | null;
  readonly queries: number;
}

export async function readBillsOf(tx: Tx, ids: readonly string[]): Promise<TracedBill[]> {
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
