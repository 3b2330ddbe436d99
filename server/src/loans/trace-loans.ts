/** What loans tell in a trace: that one was asked for. Lending and transfers tell the rest. */
import { kobo, nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind, TraceSource, TraceStep } from "../platform/records/trace.ts";
import { maskDigits } from "../platform/redact.ts";

/** What traces read of loan requests. */
const tracedLoans: readonly TracedKind[] = [{ kind: "loan", table: "loan_requests" }];

async function readRequestsOf(tx: Tx, ids: readonly string[]) {
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

type TracedRequest = Awaited<ReturnType<typeof readRequestsOf>>[number];

export const loanTrace: TraceSource = {
  records: tracedLoans,
  tell: async (tx, { ids }) => ({ steps: ids.length === 0 ? [] : (await readRequestsOf(tx, ids)).map(stepOf) }),
};

function stepOf({ id, amount, tenor, tenorType, bankCode, accountNumber, createdAt }: TracedRequest): TraceStep {
  return {
    at: createdAt,
    kind: "state",
    title: "Loan asked for",
    detail: {
      status: "pending",
      amount: nairaNumber(amount),
      tenure: tenor,
      tenureType: tenorType,
      bankCode,
      accountNumber: maskDigits(accountNumber),
    },
    ids: { loan: id },
    ok: true,
  };
}
