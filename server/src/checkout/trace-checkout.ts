/** What the checkout tells in a trace: the purchase and its session, consent by a code, and what cards were asked for. */

import { sql } from "kysely";
import { type Kobo, kobo, nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind, TraceSource, TraceStep } from "../platform/records/trace.ts";

/** What traces read of purchases on credit, over the tables of the whole checkout. */
const tracedCheckout: readonly TracedKind[] = [
  { kind: "checkout_loan", table: "checkout_loans" },
  { kind: "charge", table: "card_charges", partOf: sql`loan_id` },
  { kind: "card_refund", table: "card_refunds", partOf: sql`loan_id` },
  { kind: "checkout_session", table: "checkout_sessions", partOf: sql`loan_id` },
  { kind: "card_link", table: "card_links" },
];

interface TracedPurchase {
  readonly id: string;
  readonly amount: Kobo;
  readonly tenor: number;
  readonly status: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface TracedSession {
  readonly id: string;
  readonly orderReference: string;
  readonly status: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A code that was sent for a loan, and whether the customer consented with it. */
interface TracedCode {
  readonly loanId: string;
  readonly messageStatus: "waiting" | "sent" | "refused" | "unclear";
  readonly destination: string;
  readonly sentAt: Date;
  readonly consentedAt: Date | null;
}

/** What a card network was asked: to charge a card, or to give back what was charged. */
interface TracedCardOrder {
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

interface TracedLink {
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

async function readPurchasesOf(tx: Tx, ids: readonly string[]): Promise<TracedPurchase[]> {
  const found = await sql<WithBigint<TracedPurchase>>`
    select l.id, l.amount, l.tenor, l.status, l.created_at as "createdAt", l.updated_at as "updatedAt"
    from checkout_loans l where l.environment_id = ${tx.environment.id} and l.id = any (${ids}::uuid[])
    limit ${most}`.execute(tx);
  return found.rows.map((row) => withKobo<TracedPurchase>(row));
}

async function readSessionsOf(tx: Tx, ids: readonly string[]): Promise<TracedSession[]> {
  const found = await sql<TracedSession>`
    select s.id, s.order_reference as "orderReference", s.status, s.created_at as "createdAt",
      s.updated_at as "updatedAt"
    from checkout_sessions s where s.environment_id = ${tx.environment.id} and s.id = any (${ids}::uuid[])
    limit ${most}`.execute(tx);
  return found.rows;
}

/** Sessions, charges and refunds of these loans. */
async function findPartsOf(tx: Tx, loanIds: readonly string[]): Promise<string[]> {
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

async function readCodesOf(tx: Tx, loanIds: readonly string[]): Promise<TracedCode[]> {
  const found = await sql<TracedCode>`
    select c.loan_id as "loanId", c.message_status as "messageStatus", c.destination, c.sent_at as "sentAt",
      r.consented_at as "consentedAt"
    from consent_codes c
    left join consent_records r on r.environment_id = c.environment_id and r.code_id = c.id and r.loan_id = c.loan_id
    where c.environment_id = ${tx.environment.id} and c.loan_id = any (${loanIds}::uuid[])
    order by c.sent_at, c.id limit ${most}`.execute(tx);
  return found.rows;
}

async function readCardOrdersOf(tx: Tx, ids: readonly string[]): Promise<TracedCardOrder[]> {
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

async function readLinksOf(tx: Tx, ids: readonly string[]): Promise<TracedLink[]> {
  const found = await sql<TracedLink>`
    select l.id, l.status, l.failure_code as code, l.failure_message as message, l.created_at as "createdAt",
      l.updated_at as "updatedAt"
    from card_links l where l.environment_id = ${tx.environment.id} and l.id = any (${ids}::uuid[])
    limit ${most}`.execute(tx);
  return found.rows;
}

export const checkoutTrace: TraceSource = {
  records: tracedCheckout,
  async tell(tx, { ids }) {
    const steps = [
      ...(await readSessionsOf(tx, ids)).flatMap(sessionSteps),
      ...(await readPurchasesOf(tx, ids)).flatMap(purchaseSteps),
      ...(await readCodesOf(tx, ids)).flatMap(codeSteps),
      ...(await readLinksOf(tx, ids)).flatMap(linkSteps),
      ...(await readCardOrdersOf(tx, ids)).flatMap(cardSteps),
    ];
    return { steps, also: await findPartsOf(tx, ids) };
  },
};

function sessionSteps({ id, orderReference, status, createdAt, updatedAt }: TracedSession): TraceStep[] {
  const ids = { checkout_session: id };
  const opened = { detail: { status: "open", orderReference }, ids, ok: true, turn: 0.5 };
  const steps: TraceStep[] = [{ at: createdAt, kind: "state", title: "Checkout session opened", ...opened }];
  if (status === "open") return steps;
  const ended = { title: `Checkout session ${status}`, detail: { status }, ids, ok: status === "completed" };
  return [...steps, { at: updatedAt, kind: "state", ...ended, turn: 4 }];
}

/** The states in which a loan ends before its account is decided: lending tells the others. */
const endedUndecided = ["expired", "cancelled", "rejected"];

function purchaseSteps({ id, amount, tenor, status, createdAt, updatedAt }: TracedPurchase): TraceStep[] {
  const ids = { checkout_loan: id };
  const detail = { status: "pending_consent", amount: nairaNumber(amount), tenor };
  const asked: TraceStep = { at: createdAt, kind: "state", title: "Loan asked for", detail, ids, ok: true, turn: 0.6 };
  if (!endedUndecided.includes(status)) return [asked];
  return [asked, { at: updatedAt, kind: "state", title: `The loan is ${status}`, detail: { status }, ids, ok: false }];
}

function codeSteps({ loanId, messageStatus, destination, sentAt, consentedAt }: TracedCode): TraceStep[] {
  const ids = { checkout_loan: loanId };
  const detail = { asked: { destination }, answered: messageStatus };
  const ok = messageStatus === "waiting" || messageStatus === "sent";
  const sent: TraceStep = { at: sentAt, kind: "rail", title: "Code sent to the customer", detail, ids, ok, turn: 0.7 };
  if (consentedAt === null) return [sent];
  const consented = {
    kind: "check",
    title: "The customer consented with the code",
    detail: { destination },
    ids,
  } as const;
  return [sent, { at: consentedAt, ...consented, ok: true, turn: 0.8 }];
}

function linkSteps({ id, status, code, message, createdAt, updatedAt }: TracedLink): TraceStep[] {
  const ids = { card_link: id };
  const opened = { title: "Card link opened", detail: { status: "pending" }, ids, ok: true };
  const steps: TraceStep[] = [{ at: createdAt, kind: "state", ...opened, turn: 0.5 }];
  if (status === "pending") return steps;
  const failure = code === null ? {} : { failure: { code, message } };
  const ended = { title: `Card link ${status}`, detail: { status, ...failure }, ids, ok: code === null };
  return [...steps, { at: updatedAt, kind: "state", ...ended, turn: 0.9 }];
}

const nouns = { charge: "charge the card", card_refund: "give money back to the card" } as const;

function cardSteps({ id, what, amount, card, status, createdAt, completedAt, ...rest }: TracedCardOrder): TraceStep[] {
  const { code, message, queries } = rest;
  const ids = { [what]: id };
  const asked = { amount: nairaNumber(amount), card };
  const steps: TraceStep[] = [
    { at: createdAt, kind: "rail", title: `Asked to ${nouns[what]}`, detail: { asked }, ids, ok: true, turn: 0.2 },
  ];
  if (queries > 0) {
    const again = {
      title: "Asked the card network again, because it had not told the outcome",
      detail: { queries },
      ids,
    };
    steps.push({ at: completedAt ?? createdAt, kind: "rail", ...again, ok: completedAt !== null, turn: 0.3 });
  }
  if (completedAt === null) return steps;
  const failed = status === "failed";
  const answered = failed ? { outcome: "refused", code, message } : { outcome: "done" };
  const title = failed ? `Refused: ${nouns[what]}` : `Done: ${nouns[what]}`;
  return [...steps, { at: completedAt, kind: "rail", title, detail: { answered }, ids, ok: !failed, turn: 0.4 }];
}
