/** The books of the simulated billers, in their own schema and over their own connections. */
import type pg from "pg";
import type { CustomerQuestion, VendOrder } from "../../rails/biller.ts";
import { bookRows, booksOf } from "../in-books.ts";
import type { PackageDelivery } from "./biller-customer.ts";
import { deliveryFor, type SimulatedVend, statusesBefore, type VendStatus } from "./simulated-vend.ts";

interface VendRow {
  readonly sandbox: string;
  readonly request_id: string;
  readonly reference: string;
  readonly status: VendStatus;
  readonly token: string | null;
  readonly units: string | null;
  readonly receipt_number: string | null;
  readonly attempts: number;
  readonly delivers_at: Date | null;
}

const columns =
  "v.sandbox, v.request_id, v.reference, v.status, v.token, v.units, v.receipt_number, v.attempts, v.delivers_at";

export interface VendRecording {
  readonly status: VendStatus;
  readonly deliversAt: Date | null;
}

const bookOrders = `insert into simulated_biller.vends as v (sandbox, request_id, category, provider, product_code,
    customer, amount, reference, subscription_type, token, units, receipt_number, status, delivers_at, attempts)
  select $1::uuid, o.request_id, o.category, o.provider, o.product_code, o.customer, o.amount, o.reference,
    o.subscription_type, o.token, o.units, o.receipt_number, o.status, o.delivers_at, 1
  from unnest($2::uuid[], $3, $4, $5, $6, $7::bigint[], $8, $9, $10, $11, $12, $13, $14::timestamptz[])
    with ordinality as o (request_id, category, provider, product_code, customer, amount, reference,
      subscription_type, token, units, receipt_number, status, delivers_at, place)
  order by o.place`;

const endings = {
  whenAllAreNew: `returning ${columns}`,
  whenSomeAreKnown: `on conflict (sandbox, request_id) do update set attempts = v.attempts + 1 returning ${columns}`,
};

/**
 * Books orders of one sandbox, each with a request of its own. A request that is booked already keeps its outcome;
 * `attempts` tells whether this was the first. Answers in the order of what it is given.
 * Locks: the vends, in that order.
 */
export async function recordVends(
  pool: pg.Pool,
  sandbox: string,
  orders: readonly (VendOrder & { readonly recording: VendRecording })[],
): Promise<SimulatedVend[]> {
  const deliveries = orders.map(deliveryFor);
  const values = [
    sandbox,
    orders.map(({ requestId }) => requestId),
    orders.map(({ category }) => category),
    orders.map(({ provider }) => provider),
    orders.map(({ productCode }) => productCode),
    orders.map(({ customer }) => customer),
    orders.map(({ amount }) => amount),
    orders.map(({ reference }) => reference),
    orders.map(({ subscriptionType }) => subscriptionType),
    deliveries.map(({ token }) => token),
    deliveries.map(({ units }) => units),
    deliveries.map(({ receiptNumber }) => receiptNumber),
    orders.map(({ recording }) => recording.status),
    orders.map(({ recording }) => recording.deliversAt),
  ];
  const rows = await bookRows<VendRow>(booksOf(pool, sandbox), bookOrders, endings, values);
  const byRequest = new Map(rows.map((row) => [row.request_id, toVend(row)]));
  return orders.map(({ requestId }) => {
    const vend = byRequest.get(requestId);
    if (vend === undefined) throw new Error("the simulated biller's books gave no answer");
    return vend;
  });
}

/**
 * Puts a vend where its sandbox's owner wants it, with or without an order having arrived. Undefined when the vend has
 * gone another way.
 */
export async function decideVend(
  pool: pg.Pool,
  order: VendOrder,
  { status, deliversAt }: VendRecording,
): Promise<SimulatedVend | undefined> {
  const result = await booksOf(pool, order.environmentId).query<VendRow>(
    `insert into simulated_biller.vends as v (sandbox, request_id, category, provider, product_code, customer, amount,
       reference, subscription_type, token, units, receipt_number, status, delivers_at, attempts)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0)
     on conflict (sandbox, request_id) do update set status = excluded.status,
       delivers_at = case when v.status = 'in_progress' then excluded.delivers_at else v.delivers_at end
     where v.status = any ($15)
     returning ${columns}`,
    [...orderValues(order), status, deliversAt, [status, ...statusesBefore(status)]],
  );
  return result.rows.map(toVend)[0];
}

/** Moves a booked vend by compare-and-set and returns it as it is now, moved or not. */
export async function moveVend(
  pool: pg.Pool,
  sandbox: string,
  requestId: string,
  to: VendStatus,
): Promise<SimulatedVend | undefined> {
  await booksOf(pool, sandbox).query(
    "update simulated_biller.vends set status = $3 where sandbox = $1 and request_id = $2 and status = any ($4)",
    [sandbox, requestId, to, statusesBefore(to)],
  );
  return findVend(pool, sandbox, requestId);
}

export async function findVend(pool: pg.Pool, sandbox: string, requestId: string): Promise<SimulatedVend | undefined> {
  const result = await booksOf(pool, sandbox).query<VendRow>(
    `select ${columns} from simulated_biller.vends v where v.sandbox = $1 and v.request_id = $2`,
    [sandbox, requestId],
  );
  return result.rows.map(toVend)[0];
}

const deliveriesLookedAt = 36;

/** What runs on a smart card by its deliveries that were not taken back, oldest first; what is older no longer counts. */
export async function findDeliveries(pool: pg.Pool, question: CustomerQuestion): Promise<PackageDelivery[]> {
  const { environmentId, provider, customer } = question;
  const result = await booksOf(pool, environmentId).query<{
    product_code: string;
    subscription_type: string | null;
    delivers_at: Date;
  }>(
    `select v.product_code, v.subscription_type, v.delivers_at from simulated_biller.vends v
     where v.sandbox = $1 and v.provider = $2 and v.customer = $3 and v.category = 'tv' and v.status = 'delivered'
       and v.delivers_at is not null
     order by v.delivers_at desc, v.request_id desc limit $4`,
    [environmentId, provider, customer, deliveriesLookedAt],
  );
  return result.rows.reverse().map((row) => ({
    packageCode: row.product_code,
    renews: row.subscription_type === "renew",
    deliveredAt: row.delivers_at,
  }));
}

/** In the order of the first twelve columns. */
function orderValues(order: VendOrder): (string | bigint | null)[] {
  const { environmentId, requestId, category, provider, productCode, customer, amount, reference } = order;
  const { token, units, receiptNumber } = deliveryFor(order);
  return [
    environmentId,
    requestId,
    category,
    provider,
    productCode,
    customer,
    amount,
    reference,
    order.subscriptionType,
    token,
    units,
    receiptNumber,
  ];
}

function toVend(row: VendRow): SimulatedVend {
  return {
    sandbox: row.sandbox,
    requestId: row.request_id,
    reference: row.reference,
    status: row.status,
    delivery: { token: row.token, units: row.units, receiptNumber: row.receipt_number },
    attempts: row.attempts,
    deliversAt: row.delivers_at,
  };
}
