/** What traces read of purchases on credit, over the tables of the whole checkout. */
import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind } from "../platform/records/trace.ts";

export const tracedCheckout: readonly TracedKind[] = [
  { kind: "checkout_loan", table: "checkout_loans" },
  { kind: "charge", table: "card_charges", partOf: sql`loan_id` },
  { kind: "card_refund", table: "card_refunds", partOf: sql`loan_id` },
  { kind: "checkout_session", table: "checkout_sessions", partOf: sql`loan_id` },
  { kind: "card_link", table: "card_links" },
];

export interface TracedPurchase {
  readonly id: string;
  readonly amount: Kobo;
  readonly tenor: number;
  readonly status: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface TracedSession {
  readonly id: string;
  readonly orderReference: string;
  readonly status: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A code that was sent for a loan, and whether the customer consented with it. */
export interface TracedCode {
  readonly loanId: string;
  readonly messageStatus: "waiting" | "sent" | "refused" | "unclear";
  readonly destination: string;
  readonly sentAt: Date;
  readonly consentedAt: Date | null;
}

/** What a card network was asked: to charge a card, or to give back what was charged. */
export interface TracedCardOrder {
  readonly id: string;
  readonly what: "charge" | "card_refund";
  readonly amount: Kobo;
  readonly card: string | null;
  readonly status: "processing" | "successful" | "failed";
  readonly code: string | null;
  readonly message: string | null;
  readonly queries: number;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

export interface TracedLink {
  readonly id: string;
  readonly status: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const most = 1_000;

type WithBigint<T> = Omit<T, "amount"> & { readonly amount: bigint };

const withKobo = <T>(row: WithBigint<T>) => ({ ...row, amount: kobo(row.amount) });

export async function readPurchasesOf(tx: Tx, ids: readonly string[]): Promise<TracedPurchase[]> {
  const found = await sql<WithBigint<TracedPurchase>>`
    select l.id, l.amount, l.tenor, l.status, l.created_at as "createdAt", l.updated_at as "updatedAt"
    from checkout_loans l where l.environment_id = ${tx.environment.id} and l.id = any (${ids}::uuid[])
    limit ${most}`.execute(tx);
  return found.rows.map((row) => withKobo<TracedPurchase>(row));
}

export async function readSessionsOf(tx: Tx, ids: readonly string[]): Promise<TracedSession[]> {
  const found = await sql<TracedSession>`
    select s.id, s.order_reference as "orderReference", s.status, s.created_at as "createdAt",
      s.updated_at as "updatedAt"
    from checkout_sessions s where s.environment_id = ${tx.environment.id} and s.id = any (${ids}::uuid[])
    limit ${most}`.execute(tx);
  return found.rows;
}

/** Sessions, charges and refunds of these loans. */
export async function findPartsOf(tx: Tx, loanIds: readonly string[]): Promise<string[]> {
  const environment = tx.environment.id;
  const found = await sql<{ id: string }>`
    select s.id from checkout_sessions s
    where s.environment_id = ${environment} and s.loan_id = any (${loanIds}::uuid[])
    union all
    select c.id from card_charges c where c.environment_id = ${environment} and c.loan_id = any (${loanIds}::uuid[])
    union all
    select r.id from card_refunds r where r.environment_id = ${environment} and r.loan_id = any (${loanIds}::uuid[])
    limit ${most}`.execute(tx);
  return found.rows.map(({ id }) => id);
}

export async function readCodesOf(tx: Tx, loanIds: readonly string[]): Promise<TracedCode[]> {
  const found = await sql<TracedCode>`
    select c.loan_id as "loanId", c.message_status as "messageStatus", c.destination, c.sent_at as "sentAt",
      r.consented_at as "consentedAt"
    from consent_codes c
    left join consent_records r on r.environment_id = c.environment_id and r.code_id = c.id and r.loan_id = c.loan_id
    where c.environment_id = ${tx.environment.id} and c.loan_id = any (${loanIds}::uuid[])
    order by c.sent_at, c.id limit ${most}`.execute(tx);
  return found.rows;
}

export async function readCardOrdersOf(tx: Tx, ids: readonly string[]): Promise<TracedCardOrder[]> {
  const environment = tx.environment.id;
  const found = await sql<WithBigint<TracedCardOrder>>`
    select c.id, 'charge' as what, c.amount, k.brand || ' ' || k.last4 as card, c.status, c.failure_code as code,
      c.failure_message as message, c.queries, c.created_at as "createdAt", c.completed_at as "completedAt"
    from card_charges c
    left join customer_cards k on k.environment_id = c.environment_id and k.id = c.card_id
    where c.environment_id = ${environment} and c.id = any (${ids}::uuid[])
    union all
    select r.id, 'card_refund', r.amount, null, r.status, r.failure_code, r.failure_message, r.queries, r.created_at,
      r.completed_at
    from card_refunds r where r.environment_id = ${environment} and r.id = any (${ids}::uuid[])
    limit ${most}`.execute(tx);
  return found.rows.map((row) => withKobo<TracedCardOrder>(row));
}

export async function readLinksOf(tx: Tx, ids: readonly string[]): Promise<TracedLink[]> {
  const found = await sql<TracedLink>`
    select l.id, l.status, l.failure_code as code, l.failure_message as message, l.created_at as "createdAt",
      l.updated_at as "updatedAt"
    from card_links l where l.environment_id = ${tx.environment.id} and l.id = any (${ids}::uuid[])
    limit ${most}`.execute(tx);
  return found.rows;
}
