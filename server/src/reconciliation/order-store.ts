/**
 * Our side of a day: orders of a connection over all environments, what the ledger has for each, and what the provider
 * has told about each.
 */
import { sql } from "kysely";
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { OrderBook } from "../platform/records/order-book.ts";
import type { OrderState, OurOrder } from "./reconciliation.ts";

export interface WantedOrders {
  readonly connectionId: string;
  readonly from: Date;
  readonly to: Date;
  /** Besides those sent in the period. */
  readonly orderIds: readonly string[];
  readonly atMost: number;
}

interface OrderRow {
  readonly environment_id: string;
  readonly id: string;
  readonly order_id: string;
  readonly reference: string;
  readonly amount: bigint | null;
  readonly state: OrderState;
  readonly sent_at: Date;
  readonly booked: bigint;
}

/** One statement sees one moment: an order that ends meanwhile is open in both books, or ended in both. */
export async function readOrders(tx: Tx, book: OrderBook, wanted: WantedOrders): Promise<OurOrder[]> {
  const { connectionId, from, to, orderIds, atMost } = wanted;
  const found = await sql<OrderRow>`
    with orders as materialized (
      select o.* from list_orders_of_connection(${book.type}, ${connectionId}, ${from}, ${to}, ${orderIds}::text[],
        ${atMost}) o
    ), booked as (
      select b.* from sum_booked_records(${book.booked.account},
        (select array_agg(environment_id) from orders where booked_as is not null),
        (select array_agg(booked_as) from orders where booked_as is not null)) b
    )
    select o.environment_id, o.id, o.order_id, o.reference, o.amount, o.state, o.sent_at,
      coalesce(b.amount, 0)::bigint as booked
    from orders o left join booked b on b.environment_id = o.environment_id and b.record_id = o.booked_as
    limit ${atMost}`.execute(tx);
  const traces = await readTraces(tx, book, { connectionId, orderIds: found.rows.map((row) => row.order_id) });
  return found.rows.map((row) => toOrder(book, row, traces.get(row.order_id)));
}

function toOrder(book: OrderBook, row: OrderRow, trace: TraceRow | undefined): OurOrder {
  return {
    kind: book.kind,
    type: book.type,
    environmentId: row.environment_id,
    id: row.id,
    orderId: row.order_id,
    reference: row.reference,
    amount: row.amount === null ? null : kobo(row.amount),
    state: row.state,
    sentAt: row.sent_at,
    providerReference: trace?.provider_reference ?? null,
    fee: trace?.fee == null ? null : kobo(trace.fee),
    ledger: kobo(row.booked * book.booked.sign),
  };
}

interface TraceRow {
  readonly order_id: string;
  readonly provider_reference: string | null;
  readonly fee: bigint | null;
}

interface WantedTraces {
  readonly connectionId: string;
  readonly orderIds?: readonly string[];
  readonly providerReferences?: readonly string[];
}

/** An id of ours belongs to one order of a connection, whatever its environment. */
async function readTraces(tx: Tx, { port }: OrderBook, wanted: WantedTraces): Promise<Map<string, TraceRow>> {
  const { connectionId, orderIds = [], providerReferences = [] } = wanted;
  const atMost = orderIds.length + providerReferences.length;
  const found = await sql<TraceRow>`
    select t.order_id, t.provider_reference, t.fee
    from list_rail_traces(${connectionId}, ${port}, ${orderIds}::text[], ${providerReferences}::text[], ${atMost}) t
    limit ${atMost}`.execute(tx);
  return new Map(found.rows.map((row) => [row.order_id, row]));
}

/** The ids of orders that the provider names by its own references only. */
export async function findTracedOrders(
  tx: Tx,
  book: OrderBook,
  wanted: { readonly connectionId: string; readonly providerReferences: readonly string[] },
): Promise<string[]> {
  return [...(await readTraces(tx, book, wanted)).keys()];
}
