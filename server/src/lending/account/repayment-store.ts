/** Rows of repayments and of refunds of credit. */
import { type Selectable, sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { LoanCreditRefunds, LoanRepayments } from "../../platform/database/database-types.gen.ts";
import type { SearchedKind } from "../../platform/records/search.ts";
import {
  type CreditRefund,
  type Repayment,
  type RepaymentChannel,
  repaymentReferences,
} from "../position/repayment.ts";

/** More repayments than this are refused: a loan is always read whole. */
export const mostRepayments = 5_000;

/** All of an account, in the order they were recorded. */
export function listRepayments(tx: Tx, accountId: string): Promise<Repayment[]> {
  return listManyRepayments(tx, [accountId]);
}

/** Of several accounts, each in its order. */
export async function listManyRepayments(tx: Tx, accountIds: readonly string[]): Promise<Repayment[]> {
  const rows = await tx
    .selectFrom("loan_repayments")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .where("account_id", "in", [...accountIds])
    .orderBy("account_id")
    .orderBy("number")
    .limit(mostRepayments * accountIds.length)
    .execute();
  return rows.map(toRepayment);
}

export async function findRepayment(tx: Tx, id: string): Promise<Repayment | undefined> {
  const row = await tx
    .selectFrom("loan_repayments")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? undefined : toRepayment(row);
}

export async function insertRepayment(tx: Tx, repayment: Repayment): Promise<void> {
  await tx
    .insertInto("loan_repayments")
    .values({
      environment_id: tx.environment.id,
      id: repayment.id,
      account_id: repayment.accountId,
      number: repayment.number,
      sequence: repayment.sequence,
      reference: repayment.reference,
      channel: repayment.channel,
      wallet_id: repayment.walletId,
      amount: repayment.amount,
      recorded_at: repayment.recordedAt,
    })
    .execute();
}

/** Compare-and-set: false when it was reversed before. */
export async function markReversed(tx: Tx, { id, reversedAt, reversalReason }: Repayment): Promise<boolean> {
  const updated = await tx
    .updateTable("loan_repayments")
    .set({ reversed_at: reversedAt, reversal_reason: reversalReason })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("reversed_at", "is", null)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export function listRefunds(tx: Tx, accountId: string): Promise<CreditRefund[]> {
  return listManyRefunds(tx, [accountId]);
}

/** Of several accounts, each in its order. */
export async function listManyRefunds(tx: Tx, accountIds: readonly string[]): Promise<CreditRefund[]> {
  const rows = await tx
    .selectFrom("loan_credit_refunds")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .where("account_id", "in", [...accountIds])
    .orderBy("account_id")
    .orderBy("sequence")
    .limit(mostRepayments * accountIds.length)
    .execute();
  return rows.map(toRefund);
}

export async function findRefund(tx: Tx, id: string): Promise<CreditRefund | undefined> {
  const row = await tx
    .selectFrom("loan_credit_refunds")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? undefined : toRefund(row);
}

export async function insertRefund(tx: Tx, refund: CreditRefund): Promise<void> {
  await tx
    .insertInto("loan_credit_refunds")
    .values({
      environment_id: tx.environment.id,
      id: refund.id,
      account_id: refund.accountId,
      sequence: refund.sequence,
      reference: refund.reference,
      channel: refund.channel,
      wallet_id: refund.walletId,
      repayment_id: refund.repaymentId,
      amount: refund.amount,
      refunded_at: refund.refundedAt,
    })
    .execute();
}

function toRepayment(row: Selectable<LoanRepayments>): Repayment {
  return {
    id: row.id,
    accountId: row.account_id,
    number: row.number,
    sequence: row.sequence,
    reference: row.reference,
    channel: row.channel as RepaymentChannel,
    walletId: row.wallet_id,
    amount: kobo(row.amount),
    recordedAt: row.recorded_at,
    reversedAt: row.reversed_at,
    reversalReason: row.reversal_reason,
  };
}

function toRefund(row: Selectable<LoanCreditRefunds>): CreditRefund {
  return {
    id: row.id,
    accountId: row.account_id,
    sequence: row.sequence,
    reference: row.reference,
    channel: row.channel as RepaymentChannel,
    walletId: row.wallet_id,
    repaymentId: row.repayment_id,
    amount: kobo(row.amount),
    refundedAt: row.refunded_at,
  };
}

/** What can be found of repayments. */
export const searchedRepayments: readonly SearchedKind[] = [
  {
    kind: "repayment",
    table: "loan_repayments",
    scope: "loans:read",
    path: "/traces/{id}",
    title: sql`t.reference`,
    details: sql`array['Repayment by ' || replace(t.channel, '_', ' ')]`,
    status: sql`case when t.reversed_at is null then 'successful' else 'reversed' end`,
    amountColumn: "amount",
    createdColumn: "recorded_at",
    references: [repaymentReferences],
    newestBy: "id",
    text: sql`t.reference`,
  },
];
