/** What lending tells in a trace: how a loan was decided, paid out and closed, and the money that came for it. */

import { sql } from "kysely";
import { type Kobo, kobo, nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind, TraceSource, TraceStep } from "../platform/records/trace.ts";
import type { LoanStatus } from "./account/loan-account.ts";

/** What traces read of loan accounts. */
const tracedLending: readonly TracedKind[] = [
  { kind: "loan_account", table: "loan_accounts", partOf: sql`owner_id` },
  { kind: "repayment", table: "loan_repayments", partOf: sql`account_id` },
  { kind: "reduction", table: "loan_reductions", partOf: sql`account_id` },
  { kind: "credit_refund", table: "loan_credit_refunds", partOf: sql`account_id` },
];

interface TracedAccount {
  readonly id: string;
  readonly status: LoanStatus;
  readonly approvedAt: Date | null;
  readonly disbursedAt: Date | null;
  readonly closedAt: Date | null;
}

/** Money that came for a loan or went back: a repayment, a reduction, a refund of credit. */
interface TracedMoney {
  readonly id: string;
  readonly what: "repayment" | "reduction" | "credit_refund";
  readonly amount: Kobo;
  readonly channel: string;
  readonly reference: string;
  readonly version: number;
  readonly at: Date;
  readonly reversedAt: Date | null;
  readonly reason: string | null;
}

const mostRecords = 2_000;

async function readAccountsOf(tx: Tx, ids: readonly string[]): Promise<TracedAccount[]> {
  const found = await sql<TracedAccount>`
    select a.id, a.status, a.approved_at as "approvedAt", a.disbursed_at as "disbursedAt", a.closed_at as "closedAt"
    from loan_accounts a
    where a.environment_id = ${tx.environment.id} and a.id = any (${ids}::uuid[])
    limit ${mostRecords}`.execute(tx);
  return found.rows;
}

/** The accounts of these owners, and the money of these accounts. */
async function findPartsOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const environment = tx.environment.id;
  const kinds = sql`array['loan_request', 'checkout_loan']`;
  const found = await sql<{ id: string }>`
    select a.id from loan_accounts a
    where a.environment_id = ${environment} and a.owner_kind = any (${kinds}) and a.owner_id = any (${ids}::uuid[])
    union all select r.id from loan_repayments r
    where r.environment_id = ${environment} and r.account_id = any (${ids}::uuid[])
    union all select d.id from loan_reductions d
    where d.environment_id = ${environment} and d.account_id = any (${ids}::uuid[])
    union all select c.id from loan_credit_refunds c
    where c.environment_id = ${environment} and c.account_id = any (${ids}::uuid[])
    limit ${mostRecords}`.execute(tx);
  return found.rows.map(({ id }) => id);
}

async function readMoneyOf(tx: Tx, ids: readonly string[]): Promise<TracedMoney[]> {
  const environment = tx.environment.id;
  const found = await sql<Omit<TracedMoney, "amount"> & { amount: bigint }>`
    select r.id, 'repayment' as what, r.amount, r.channel, r.reference, r.sequence as version, r.recorded_at as at,
      r.reversed_at as "reversedAt", r.reversal_reason as reason
    from loan_repayments r where r.environment_id = ${environment} and r.id = any (${ids}::uuid[])
    union all
    select d.id, 'reduction', d.amount, 'wallet', d.reference, d.sequence, d.recorded_at, null, d.reason
    from loan_reductions d where d.environment_id = ${environment} and d.id = any (${ids}::uuid[])
    union all
    select c.id, 'credit_refund', c.amount, c.channel, c.reference, c.sequence, c.refunded_at, null, null
    from loan_credit_refunds c where c.environment_id = ${environment} and c.id = any (${ids}::uuid[])
    limit ${mostRecords}`.execute(tx);
  return found.rows.map((row) => ({ ...row, amount: kobo(row.amount) }));
}

export const lendingTrace: TraceSource = {
  records: tracedLending,
  async tell(tx, { ids }) {
    const accounts = await readAccountsOf(tx, ids);
    const money = await readMoneyOf(tx, ids);
    return {
      steps: [...accounts.flatMap(accountSteps), ...money.flatMap(moneySteps)],
      also: await findPartsOf(tx, ids),
    };
  },
};

function accountSteps({ id, status, approvedAt, disbursedAt, closedAt }: TracedAccount): TraceStep[] {
  const ids = { loan_account: id };
  const steps: TraceStep[] = [];
  if (approvedAt !== null) {
    const detail = { status: "approved" };
    steps.push({ at: approvedAt, kind: "decision", title: "The loan is granted", detail, ids, ok: true });
  }
  if (disbursedAt !== null) {
    const detail = { status: "disbursed" };
    steps.push({ at: disbursedAt, kind: "state", title: "Paid out", detail, ids, ok: true });
  }
  if (closedAt !== null) steps.push({ at: closedAt, ...endOf(status), detail: { status }, ids });
  return steps;
}

/** Nobody but the lender rejects; what is open again was closed before, and is not any more. */
function endOf(status: TracedAccount["status"]): Pick<TraceStep, "kind" | "title" | "ok"> {
  if (status === "rejected") return { kind: "decision", title: "The loan is not granted", ok: false };
  return { kind: "state", title: `The loan is ${status.replace("_", " ")}`, ok: status === "completed" };
}

const titles = {
  repayment: "Repayment recorded",
  reduction: "Order refunded, the loan shrinks",
  credit_refund: "What was overpaid goes back",
} as const;

function moneySteps({ id, what, amount, at, version, reversedAt, reason, ...rest }: TracedMoney): TraceStep[] {
  const { channel, reference } = rest;
  const ids = { [what]: id };
  const detail = { amount: nairaNumber(amount), channel, reference };
  const came: TraceStep = { at, kind: "state", title: titles[what], detail, ids, ok: true, turn: version };
  if (reversedAt === null) return [came];
  const reversed = {
    kind: "state",
    title: "Repayment reversed",
    detail: { ...detail, reason },
    ids,
    ok: false,
  } as const;
  return [came, { at: reversedAt, ...reversed }];
}
