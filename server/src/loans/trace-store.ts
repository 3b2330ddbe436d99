/** What traces read of loan requests. */
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind } from "../platform/records/trace.ts";

export const tracedLoans: readonly TracedKind[] = [{ kind: "loan", table: "loan_requests" }];

export async function readRequestsOf(tx: Tx, ids: readonly string[]) {
  const rows = await tx
    .selectFrom("loan_requests")
    .select(["id", "amount", "tenure", "tenure_type", "bank_code", "account_number", "created_at"])
    .where("environment_id", "=", tx.environment.id)
    .where("id", "in", ids)
    .limit(ids.length)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    amount: kobo(row.amount),
    tenor: row.tenure,
    tenorType: row.tenure_type,
    bankCode: row.bank_code,
    accountNumber: row.account_number,
    createdAt: row.created_at,
  }));
}

export type TracedRequest = Awaited<ReturnType<typeof readRequestsOf>>[number];
