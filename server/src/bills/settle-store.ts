/** State moves of bills, many at a time, by compare-and-set. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { firstOfEach } from "../platform/records/first-of-each.ts";
import { lagosTime } from "../platform/time/lagos-date.ts";
import type { Delivery, RequestIdStyle } from "../rails/biller.ts";
import type { Bill, BillStatus } from "./bill.ts";
import { type BillRow, billColumnList, toBill } from "./bill-store.ts";

/** Moves what is still in the expected state and returns the records as they are now, by id. */
export async function moveBills(tx: Tx, commands: readonly SettleCommand[]): Promise<Map<string, Bill>> {
  const now = tx.environment.clock.now();
  // The first of two moves of one bill counts. Locks: the rows, in id order.
  const distinct = firstOfEach(commands);
  const moved = await sql<BillRow>`
    select ${billColumnList} from move_bills(${now}, ${distinct.map(({ id }) => id)}::uuid[],
      ${distinct.map(({ from }) => from)}::text[], ${distinct.map(({ to }) => to)}::text[],
      ${distinct.map(({ failure }) => failure?.code ?? null)}::text[],
      ${distinct.map(({ failure }) => failure?.message ?? null)}::text[],
      ${distinct.map(({ delivery }) => delivery?.token ?? null)}::text[],
      ${distinct.map(({ delivery }) => delivery?.units ?? null)}::numeric[],
      ${distinct.map(({ delivery }) => delivery?.receiptNumber ?? null)}::text[]) as b`.execute(tx);
  return new Map(moved.rows.map((row) => [row.id, toBill(row)]));
}

export interface Start {
  readonly id: string;
  readonly connectionId: string | null;
  readonly requestIds: RequestIdStyle;
}

/** Waiting bills go to their billers, whatever becomes of them there. Answers with those that went, by id. */
export async function startSending(tx: Tx, starts: readonly Start[]): Promise<Map<string, Bill>> {
  const now = tx.environment.clock.now();
  // Of two starts of one bill the first counts. Locks: the rows, in id order.
  const distinct = firstOfEach(starts);
  const moved = await sql<BillRow>`
    select ${billColumnList} from start_bills(${now}, ${distinct.map(({ id }) => id)}::uuid[],
      ${distinct.map((start) => newRequestId(start, now))}::text[],
      ${distinct.map(({ connectionId }) => connectionId)}::uuid[]) as b`.execute(tx);
  return new Map(moved.rows.map((row) => [row.id, toBill(row)]));
}

/** The id by which a biller knows a bill, in the style that its rail wants. */
export function newRequestId(bill: { readonly id: string; readonly requestIds: RequestIdStyle }, now: Date): string {
  if (bill.requestIds === "uuid") return bill.id;
  const { year, month, day, hour, minute } = lagosTime(now);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${year}${[month, day, hour, minute].map(two).join("")}${bill.id.replaceAll("-", "")}`;
}

/** What it takes to end a bill. */
export interface SettleCommand {
  readonly id: string;
  readonly from: BillStatus;
  readonly to: "successful" | "failed" | "reversed";
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** What the customer got; null unless it was just delivered. */
  readonly delivery: Delivery | null;
}
