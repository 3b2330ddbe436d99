/** Rows of reductions; they are never changed. */
import type { Selectable } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { LoanReductions } from "../../platform/database/database-types.gen.ts";
import type { Reduction } from "../position/repayment.ts";

/** More than this are refused: a loan is always read whole. */
export const mostReductions = 1_000;

/** All of an account, in the order they were recorded. */
export function listReductions(tx: Tx, accountId: string): Promise<Reduction[]> {
  return listManyReductions(tx, [accountId]);
}

/** Of several accounts, each in its order. */
export async function listManyReductions(tx: Tx, accountIds: readonly string[]): Promise<Reduction[]> {
  const rows = await tx
    .selectFrom("loan_reductions")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .where("account_id", "in", [...accountIds])
    .orderBy("account_id")
    .orderBy("sequence")
    .limit(mostReductions * accountIds.length)
    .execute();
  return rows.map(toReduction);
}

export async function findReduction(tx: Tx, id: string): Promise<Reduction | undefined> {
  const row = await tx
    .selectFrom("loan_reductions")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? undefined : toReduction(row);
}

export async function insertReduction(tx: Tx, reduction: Reduction): Promise<void> {
  await tx
    .insertInto("loan_reductions")
    .values({
      environment_id: tx.environment.id,
      id: reduction.id,
      account_id: reduction.accountId,
      sequence: reduction.sequence,
      reference: reduction.reference,
      reason: reduction.reason,
      wallet_id: reduction.walletId,
      amount: reduction.amount,
      recorded_at: reduction.recordedAt,
    })
    .execute();
}

function toReduction(row: Selectable<LoanReductions>): Reduction {
  return {
    id: row.id,
    accountId: row.account_id,
    sequence: row.sequence,
    reference: row.reference,
    reason: row.reason,
    walletId: row.wallet_id,
    amount: kobo(row.amount),
    recordedAt: row.recorded_at,
  };
}
