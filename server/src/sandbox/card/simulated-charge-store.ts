/** The simulated network's charges and refunds, in its own schema and over its own connections. */
import type pg from "pg";
import type { CardChargeOrder, CardRefundOrder } from "../../rails/card.ts";
import { booksOf, inBooks } from "../in-books.ts";
import type { DeclineCode } from "./card-decline.ts";

/** Null says that the money moved. */
interface DecidedRow {
  readonly decline_code: DeclineCode | null;
}

/** Books a charge. One that is booked already keeps its outcome, whatever is decided about this order. */
export async function recordCharge(
  pool: pg.Pool,
  order: CardChargeOrder,
  code: DeclineCode | null,
): Promise<DeclineCode | null> {
  const booked = await booksOf(pool, order.environmentId).query<DecidedRow>(
    `insert into simulated_card.charges as c (sandbox, charge_id, token, amount, narration, status, decline_code,
       attempts)
     values ($1, $2, $3, $4, $5, $6, $7, 1)
     on conflict (sandbox, charge_id) do update set attempts = c.attempts + 1
     returning c.decline_code`,
    [order.environmentId, order.chargeId, order.token, order.amount, order.narration, statusOf(code), code],
  );
  return decisionOf(booked);
}

/** Undefined when no order for the charge has arrived. */
export async function findCharge(
  pool: pg.Pool,
  sandbox: string,
  chargeId: string,
): Promise<DeclineCode | null | undefined> {
  const found = await booksOf(pool, sandbox).query<DecidedRow>(
    "select decline_code from simulated_card.charges where sandbox = $1 and charge_id = $2",
    [sandbox, chargeId],
  );
  return found.rows[0]?.decline_code;
}

/** Undefined when no order for the refund has arrived. */
export async function findRefund(
  pool: pg.Pool,
  sandbox: string,
  refundId: string,
): Promise<DeclineCode | null | undefined> {
  const found = await booksOf(pool, sandbox).query<DecidedRow>(
    "select decline_code from simulated_card.refunds where sandbox = $1 and refund_id = $2",
    [sandbox, refundId],
  );
  return found.rows[0]?.decline_code;
}

/** Books a refund, never more than was charged. The charge's row is locked, so that its refunds come one by one. */
export function recordRefund(pool: pg.Pool, order: CardRefundOrder): Promise<DeclineCode | null> {
  const { environmentId, refundId, chargeId, amount } = order;
  return inBooks(pool, environmentId, async (client) => {
    const charged = await client.query<{ amount: bigint }>(
      `select amount from simulated_card.charges where sandbox = $1 and charge_id = $2 and status = 'paid' for update`,
      [environmentId, chargeId],
    );
    const refunded = await client.query<{ sum: bigint }>(
      `select coalesce(sum(amount), 0)::bigint as sum from simulated_card.refunds
       where sandbox = $1 and charge_id = $2 and status = 'paid' and refund_id <> $3`,
      [environmentId, chargeId, refundId],
    );
    const room = charged.rows[0] === undefined ? null : charged.rows[0].amount - (refunded.rows[0]?.sum ?? 0n);
    const code = room === null ? "charge_not_found" : amount > room ? "refund_exceeds_charge" : null;
    const booked = await client.query<DecidedRow>(
      `insert into simulated_card.refunds as r (sandbox, refund_id, charge_id, amount, status, decline_code, attempts)
       values ($1, $2, $3, $4, $5, $6, 1)
       on conflict (sandbox, refund_id) do update set attempts = r.attempts + 1
       returning r.decline_code`,
      [environmentId, refundId, chargeId, amount, statusOf(code), code],
    );
    return decisionOf(booked);
  });
}

function statusOf(code: DeclineCode | null): "paid" | "declined" {
  return code === null ? "paid" : "declined";
}

function decisionOf(booked: pg.QueryResult<DecidedRow>): DeclineCode | null {
  const [row] = booked.rows;
  if (row === undefined) throw new Error("the simulated network's books gave no answer");
  return row.decline_code;
}
