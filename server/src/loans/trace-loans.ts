/** What loans tell in a trace: that one was asked for. Lending and transfers tell the rest. */
import { nairaNumber } from "../money/kobo.ts";
import { maskDigits } from "../platform/mask-digits.ts";
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";
import { readRequestsOf, type TracedRequest, tracedLoans } from "./trace-store.ts";

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
