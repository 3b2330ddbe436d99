/** The simulated network's charges and refunds, in its own schema and over its own connections. */
import type pg from "pg";
import type { CardChargeOrder, CardRefundOrder } from "../../rails/card.ts";
import { booksOf, inBooks } from "../in-books.ts";
import type { DeclineCode } from "./card-decline.ts";
import type { CardBehaviour } from "./card-number.ts";

/**
 * A charge in the network's books:
 *
 *   asked ──▶ paid ──▶ reversed
 *     └─────▶ declined
 */
export type SimulatedChargeStatus = "asked" | "paid" | "declined" | "reversed";
export type SimulatedRefundStatus = "pending" | "paid" | "declined";

export interface RecordedCharge {
  readonly amount: bigint;
  readonly status: SimulatedChargeStatus;
  readonly code: DeclineCode | null;
  readonly askedAt: Date | null;
}

export interface RecordedRefund {
  readonly status: SimulatedRefundStatus;
  readonly code: DeclineCode | null;
}

interface ChargeRow {
  readonly amount: bigint;
  readonly status: SimulatedChargeStatus;
  readonly decline_code: DeclineCode | null;
  readonly asked_at: Date | null;
}

interface RefundRow {
  readonly status: SimulatedRefundStatus;
  readonly decline_code: DeclineCode | null;
}

/** Books a charge. One that is booked already keeps its outcome, whatever is decided about this order. */
export async function recordCharge(
  pool: pg.Pool,
  order: CardChargeOrder,
  { status, code, askedAt }: Omit<RecordedCharge, "amount">,
): Promise<RecordedCharge> {
  const { environmentId, chargeId, token, amount, narration } = order;
  const booked = await booksOf(pool, environmentId).query<ChargeRow>(
    `insert into simulated_card.charges as c (sandbox, charge_id, token, amount, narration, status, decline_code,
       asked_at, attempts)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 1)
     on conflict (sandbox, charge_id) do update set attempts = c.attempts + 1
     returning c.amount, c.status, c.decline_code, c.asked_at`,
    [environmentId, chargeId, token, amount, narration, status, code, askedAt],
  );
  return toCharge(theOne(booked));
}

/** Undefined when no order for the charge has arrived. */
export async function findCharge(
  pool: pg.Pool,
  sandbox: string,
  chargeId: string,
): Promise<RecordedCharge | undefined> {
  const found = await booksOf(pool, sandbox).query<ChargeRow>(
    "select amount, status, decline_code, asked_at from simulated_card.charges where sandbox = $1 and charge_id = $2",
    [sandbox, chargeId],
  );
  return found.rows.map(toCharge)[0];
}

/** What the holder, or the bank, does about a charge. */
export const chargeDecisions = {
  confirm: { from: "asked", to: "paid", code: null },
  decline: { from: "asked", to: "declined", code: "holder_refused" },
  take_back: { from: "paid", to: "reversed", code: null },
} as const satisfies Readonly<Record<string, ChargeMove>>;

export type ChargeDecision = keyof typeof chargeDecisions;

export interface ChargeMove {
  readonly from: SimulatedChargeStatus;
  readonly to: SimulatedChargeStatus;
  readonly code: DeclineCode | null;
}

/** Moves a charge on. False when it has gone another way. */
export async function moveCharge(
  pool: pg.Pool,
  sandbox: string,
  chargeId: string,
  { from, to, code }: ChargeMove,
): Promise<boolean> {
  const moved = await booksOf(pool, sandbox).query<ChargeRow>(
    `update simulated_card.charges set status = $4, decline_code = $5
     where sandbox = $1 and charge_id = $2 and status in ($3, $4)
     returning amount, status, decline_code, asked_at`,
    [sandbox, chargeId, from, to, code],
  );
  return moved.rows.length === 1;
}

/** Undefined when no order for the refund has arrived. */
export async function findRefund(
  pool: pg.Pool,
  sandbox: string,
  refundId: string,
): Promise<RecordedRefund | undefined> {
  const found = await booksOf(pool, sandbox).query<RefundRow>(
    "select status, decline_code from simulated_card.refunds where sandbox = $1 and refund_id = $2",
    [sandbox, refundId],
  );
  return found.rows.map(toRefund)[0];
}

/** Ends a refund that takes its time. False when it has gone another way. */
export async function moveRefund(
  pool: pg.Pool,
  sandbox: string,
  refundId: string,
  { to, code }: { readonly to: "paid" | "declined"; readonly code: DeclineCode | null },
): Promise<boolean> {
  const moved = await booksOf(pool, sandbox).query<RefundRow>(
    `update simulated_card.refunds set status = $3, decline_code = $4
     where sandbox = $1 and refund_id = $2 and status in ('pending', $3)
     returning status, decline_code`,
    [sandbox, refundId, to, code],
  );
  return moved.rows.length === 1;
}

/** Books a refund, never more than was charged. The charge's row is locked, so that its refunds come one by one. */
export function recordRefund(pool: pg.Pool, order: CardRefundOrder): Promise<RecordedRefund> {
  const { environmentId, refundId, chargeId, amount } = order;
  return inBooks(pool, environmentId, async (client) => {
    const charged = await client.query<{ amount: bigint; behaviour: CardBehaviour | null }>(
      `select c.amount, l.behaviour from simulated_card.charges c
       left join simulated_card.links l on l.sandbox = c.sandbox and l.token = c.token
       where c.sandbox = $1 and c.charge_id = $2 and c.status = 'paid' for update of c`,
      [environmentId, chargeId],
    );
    const refunded = await client.query<{ sum: bigint }>(
      `select coalesce(sum(amount), 0)::bigint as sum from simulated_card.refunds
       where sandbox = $1 and charge_id = $2 and status <> 'declined' and refund_id <> $3`,
      [environmentId, chargeId, refundId],
    );
    const [charge] = charged.rows;
    const room = charge === undefined ? null : charge.amount - (refunded.rows[0]?.sum ?? 0n);
    const code = room === null ? "charge_not_found" : amount > room ? "refund_exceeds_charge" : null;
    const kept = charge?.behaviour === "refunds_slowly" ? "pending" : "paid";
    const booked = await client.query<RefundRow>(
      `insert into simulated_card.refunds as r (sandbox, refund_id, charge_id, amount, status, decline_code, attempts)
       values ($1, $2, $3, $4, $5, $6, 1)
       on conflict (sandbox, refund_id) do update set attempts = r.attempts + 1
       returning r.status, r.decline_code`,
      [environmentId, refundId, chargeId, amount, code === null ? kept : "declined", code],
    );
    return toRefund(theOne(booked));
  });
}

function theOne<Row extends pg.QueryResultRow>(booked: pg.QueryResult<Row>): Row {
  const [row] = booked.rows;
  if (row === undefined) throw new Error("the simulated network's books gave no answer");
  return row;
}

function toCharge({ amount, status, decline_code: code, asked_at: askedAt }: ChargeRow): RecordedCharge {
  return { amount, status, code, askedAt };
}

function toRefund({ status, decline_code: code }: RefundRow): RecordedRefund {
  return { status, code };
}
