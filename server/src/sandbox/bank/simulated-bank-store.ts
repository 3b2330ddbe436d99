/** The books of the simulated bank, in its own schema and over its own connections. */
import type pg from "pg";
import type { PaymentOrder } from "../../rails/bank.ts";
import { bookRows, booksOf } from "../in-books.ts";
import type { BankCondition } from "./bank-condition.ts";
import type { Scenario } from "./payment-scenario.ts";
import { type PaymentStatus, responseCodes, type SimulatedPayment, statusesBefore } from "./simulated-payment.ts";

interface PaymentRow {
  readonly sandbox: string;
  readonly session_id: string;
  readonly nip_code: string;
  readonly reference: string;
  readonly status: PaymentStatus;
  readonly response_code: string;
  readonly attempts: number;
  readonly pays_at: Date | null;
}

const columns = "p.sandbox, p.session_id, p.nip_code, p.reference, p.status, p.response_code, p.attempts, p.pays_at";

export interface RecordedOrder {
  readonly payment: SimulatedPayment;
  /** Whether this order, and none before it, decided what became of the payment. */
  readonly isFirst: boolean;
}

export interface Recording extends Pick<Scenario, "status" | "responseCode"> {
  readonly paysAt: Date | null;
}

const bookOrders = `insert into simulated_bank.payments as p (sandbox, session_id, nip_code, account_number,
    account_name, amount, reference, narration, status, response_code, pays_at, attempts)
  select $1::uuid, o.session_id, o.nip_code, o.account_number, o.account_name, o.amount, o.reference, o.narration,
    o.status, o.response_code, o.pays_at, 1
  from unnest($2, $3, $4, $5, $6::bigint[], $7, $8, $9, $10, $11::timestamptz[]) with ordinality
    as o (session_id, nip_code, account_number, account_name, amount, reference, narration, status, response_code,
      pays_at, place)
  order by o.place`;

// The inner select sees the row as it was before this statement.
const endings = {
  whenAllAreNew: `returning ${columns}, null as earlier_status`,
  whenSomeAreKnown: `on conflict (sandbox, session_id) do update set attempts = p.attempts + 1,
      status = case p.status when 'unreached' then excluded.status else p.status end,
      response_code = case p.status when 'unreached' then excluded.response_code else p.response_code end,
      pays_at = case p.status when 'unreached' then excluded.pays_at else p.pays_at end
    returning ${columns}, (select e.status from simulated_bank.payments e
      where e.sandbox = p.sandbox and e.session_id = p.session_id) as earlier_status`,
};

/**
 * Books orders of one sandbox, each with a session of its own. A session that is booked already keeps its outcome,
 * unless its bank was never reached. Answers in the order of what it is given. Locks: the payments, in that order.
 */
export async function recordOrders(
  pool: pg.Pool,
  sandbox: string,
  orders: readonly (PaymentOrder & { readonly recording: Recording })[],
): Promise<RecordedOrder[]> {
  const values = [
    sandbox,
    orders.map(({ sessionId }) => sessionId),
    orders.map(({ nipCode }) => nipCode),
    orders.map(({ accountNumber }) => accountNumber),
    orders.map(({ accountName }) => accountName),
    orders.map(({ amount }) => amount),
    orders.map(({ reference }) => reference),
    orders.map(({ narration }) => narration),
    orders.map(({ recording }) => recording.status),
    orders.map(({ recording }) => recording.responseCode),
    orders.map(({ recording }) => recording.paysAt),
  ];
  type Row = PaymentRow & { readonly earlier_status: PaymentStatus | null };
  const rows = await bookRows<Row>(booksOf(pool, sandbox), bookOrders, endings, values);
  const bySession = new Map(rows.map((row) => [row.session_id, row]));
  return orders.map(({ sessionId }) => {
    const row = bySession.get(sessionId);
    if (row === undefined) throw new Error("the simulated bank's books gave no answer");
    const isFirst = row.attempts === 1 || row.earlier_status === "unreached";
    return { payment: toPayment(row), isFirst };
  });
}

/**
 * Puts a payment where its sandbox's owner wants it, with or without an order having arrived. False when the payment
 * has gone another way.
 */
export async function decidePayment(pool: pg.Pool, order: PaymentOrder, to: PaymentStatus): Promise<boolean> {
  const result = await booksOf(pool, order.environmentId).query(
    `insert into simulated_bank.payments as p (sandbox, session_id, nip_code, account_number, account_name, amount,
       reference, narration, status, response_code, attempts)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0)
     on conflict (sandbox, session_id) do update set status = excluded.status, response_code = excluded.response_code
     where p.status = any ($11)`,
    [...orderValues(order), to, responseCodes[to], [to, ...statusesBefore(to)]],
  );
  return result.rowCount === 1;
}

/** Moves a booked payment by compare-and-set and returns it as it is now, moved or not. */
export async function movePayment(
  pool: pg.Pool,
  sandbox: string,
  sessionId: string,
  to: PaymentStatus,
): Promise<SimulatedPayment | undefined> {
  await booksOf(pool, sandbox).query(
    `update simulated_bank.payments set status = $3, response_code = $4
     where sandbox = $1 and session_id = $2 and status = any ($5)`,
    [sandbox, sessionId, to, responseCodes[to], statusesBefore(to)],
  );
  return findPayment(pool, sandbox, sessionId);
}

export async function findPayment(
  pool: pg.Pool,
  sandbox: string,
  sessionId: string,
): Promise<SimulatedPayment | undefined> {
  const result = await booksOf(pool, sandbox).query<PaymentRow>(
    `select ${columns} from simulated_bank.payments p where p.sandbox = $1 and p.session_id = $2`,
    [sandbox, sessionId],
  );
  const [row] = result.rows;
  return row === undefined ? undefined : toPayment(row);
}

const mostConditions = 100_000;

/** The conditions other than up, by sandbox and bank. */
export async function readConditions(pool: pg.Pool): Promise<ReadonlyMap<string, ReadonlyMap<string, BankCondition>>> {
  const found = await pool.query<{ sandbox: string; nip_code: string; condition: BankCondition }>(
    "select sandbox, nip_code, condition from read_bank_conditions($1)",
    [mostConditions],
  );
  const bySandbox = Map.groupBy(found.rows, (row) => row.sandbox);
  return new Map(
    [...bySandbox].map(([sandbox, rows]) => [sandbox, new Map(rows.map((row) => [row.nip_code, row.condition]))]),
  );
}

export async function writeCondition(
  pool: pg.Pool,
  sandbox: string,
  nipCode: string,
  condition: BankCondition,
): Promise<void> {
  if (condition === "up") {
    await booksOf(pool, sandbox).query("delete from simulated_bank.conditions where sandbox = $1 and nip_code = $2", [
      sandbox,
      nipCode,
    ]);
    return;
  }
  await booksOf(pool, sandbox).query(
    `insert into simulated_bank.conditions (sandbox, nip_code, condition) values ($1, $2, $3)
     on conflict (sandbox, nip_code) do update set condition = excluded.condition`,
    [sandbox, nipCode, condition],
  );
}

/** In the order of the first eight columns. */
function orderValues(order: PaymentOrder): (string | bigint)[] {
  const { environmentId, sessionId, nipCode, accountNumber, accountName, amount, reference, narration } = order;
  return [environmentId, sessionId, nipCode, accountNumber, accountName, amount, reference, narration];
}

function toPayment(row: PaymentRow): SimulatedPayment {
  return {
    sandbox: row.sandbox,
    sessionId: row.session_id,
    nipCode: row.nip_code,
    reference: row.reference,
    status: row.status,
    responseCode: row.response_code,
    attempts: row.attempts,
    paysAt: row.pays_at,
  };
}
