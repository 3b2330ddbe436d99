/** What the ledger tells in a trace: each transaction of a record, with its legs. */
import { sql } from "kysely";
import { nairaNumber } from "../money/kobo.ts";
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";
import { readPostings, type WrittenPosting } from "./read-postings.ts";

export const postingTrace: TraceSource = {
  records: [{ kind: "transaction", table: "ledger_transactions", partOf: sql`resource_id`, lastResort: true }],
  tell: async (tx, { ids }) => ({ steps: (await readPostings(tx, ids)).map(stepOf) }),
};

function stepOf({ id, kind, narration, postedAt, legs }: WrittenPosting): TraceStep {
  return {
    at: postedAt,
    kind: "posting",
    title: `Money moved: ${kind}`,
    detail: {
      posting: kind,
      narration,
      legs: legs.map(({ purpose, accountId, amount }) => ({
        account: purpose,
        accountId,
        amount: nairaNumber(amount),
      })),
    },
    ids: { transaction: id },
    ok: true,
    cause: kind,
  };
}
