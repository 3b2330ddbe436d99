/** State moves of bills, many at a time, by compare-and-set. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { RequestIdStyle } from "../rails/biller.ts";
import { type OpenOrder, openOrder } from "../rails/order.ts";
import type { Bill } from "./bill.ts";
import { type BillRow, billColumnList, billColumns, toBill } from "./bill-store.ts";
import { newRequestId } from "./request-id.ts";
import type { SettleCommand } from "./settlement.ts";

/** Moves what is still in the expected state and returns the records as they are now, by id. */
export async function moveBills(tx: Tx, commands: readonly SettleCommand[]): Promise<Map<string, Bill>> {
  const now = tx.environment.clock.now();
  // The first of two moves of one bill counts. Locks: the rows, in id order.
  const distinct = [...new Map([...commands].reverse().map((command) => [command.id, command])).values()];
  const moves = distinct.map(({ id, from, to, failure, delivery }) => ({ id, from, to, ...failure, ...delivery }));
  const moved = await sql<BillRow>`
    with wanted as (
      select * from json_to_recordset(${JSON.stringify(moves)}::json) as w (id uuid, "from" text, "to" text, code text,
        message text, token text, units numeric, "receiptNumber" text)
    ), locked as (
      select b.id, w."to", w.code, w.message, w.token, w.units, w."receiptNumber"
      from bills b join wanted w on w.id = b.id and w."from" = b.status
      where b.environment_id = ${tx.environment.id}
      order by b.id
      for update of b
    )
    update bills b set status = l."to", version = b.version + 1, updated_at = ${now},
      completed_at = coalesce(b.completed_at, ${now}), failure_code = l.code, failure_message = l.message,
      token = coalesce(l.token, b.token), units = coalesce(l.units, b.units),
      receipt_number = coalesce(l."receiptNumber", b.receipt_number), claim_at = null
    from locked l
    where b.environment_id = ${tx.environment.id} and b.id = l.id
    returning ${billColumnList}`.execute(tx);
  return new Map(moved.rows.map((row) => [row.id, toBill(row)]));
}

export interface Start {
  readonly id: string;
  readonly connectionId: string | null;
  readonly requestIds: RequestIdStyle;
}

/** A waiting bill goes to the biller, whatever becomes of it there. Undefined when it no longer waits. */
export async function startSending(tx: Tx, start: Start): Promise<Bill | undefined> {
  const { id, connectionId } = start;
  const now = tx.environment.clock.now();
  const started = { status: "processing", connection_id: connectionId, request_id: newRequestId(start, now) } as const;
  const moved = await tx
    .updateTable("bills")
    .set((set) => ({ ...started, version: set("version", "+", 1), sent_at: now, updated_at: now }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .returning(billColumns)
    .executeTakeFirst();
  return moved === undefined ? undefined : toBill(moved);
}

/** The biller has not settled them: no worker holds them any more, the agenda will ask again. How often, by id. */
export async function countQueries(tx: Tx, bills: readonly { readonly id: string }[]): Promise<Map<string, number>> {
  const rows = await tx
    .updateTable("bills")
    .set((set) => ({ queries: set("queries", "+", 1), claim_at: null }))
    .where("environment_id", "=", tx.environment.id)
    .where(
      "id",
      "in",
      bills.map(({ id }) => id),
    )
    .where("status", "=", "processing")
    .returning(["id", "queries"])
    .execute();
  return new Map(rows.map(({ id, queries }) => [id, queries]));
}

export async function findForSending(tx: Tx, id: string): Promise<OpenOrder<Bill> | undefined> {
  const row = await tx
    .selectFrom("bills")
    .select([...billColumns, "sent_at"])
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && openOrder(tx, toBill(row), row.sent_at);
}
