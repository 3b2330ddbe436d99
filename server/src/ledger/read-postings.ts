/** What the ledger wrote for given records, oldest first: for explanations, not for balances. */

import { sql } from "kysely";
import { type Kobo, kobo, nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Row } from "../platform/database/row.ts";
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";

export interface WrittenLeg {
  readonly accountId: string;
  /** The account's purpose, such as wallet or loan_book. */
  readonly purpose: string;
  readonly amount: Kobo;
}

export interface WrittenPosting {
  readonly id: string;
  readonly kind: string;
  readonly narration: string | null;
  readonly reference: string | null;
  readonly postedAt: Date;
  readonly legs: readonly WrittenLeg[];
}

const mostPostings = 2_000;

type LegRow = Row<"entries", "transaction_id" | "account_id" | "amount"> & Row<"accounts", "purpose">;

export async function readPostings(tx: Tx, resourceIds: readonly string[]): Promise<WrittenPosting[]> {
  const environment = tx.environment.id;
  // Two conditions, because a record's first transaction has the record's own id and is not in the other index.
  const found = await sql<Omit<WrittenPosting, "legs">>`
    select t.id, t.kind, t.narration, t.reference, t.posted_at as "postedAt"
    from ledger_transactions t
    where t.environment_id = ${environment} and (t.id = any (${resourceIds}::uuid[])
      or t.resource_id = any (${resourceIds}::uuid[]))
    order by t.posted_at, t.id limit ${mostPostings}`.execute(tx);
  const legs = await sql<LegRow>`
    select e.transaction_id, e.account_id, a.purpose, e.amount
    from entries e join accounts a on a.environment_id = e.environment_id and a.id = e.account_id
    where e.environment_id = ${environment} and e.transaction_id = any (${found.rows.map(({ id }) => id)}::uuid[])
    order by a.purpose, e.account_id`.execute(tx);
  const byTransaction = Map.groupBy(legs.rows, (row) => row.transaction_id);
  return found.rows.map((posting) => ({ ...posting, legs: (byTransaction.get(posting.id) ?? []).map(toLeg) }));
}

function toLeg(row: LegRow): WrittenLeg {
  return { accountId: row.account_id, purpose: row.purpose, amount: kobo(row.amount) };
}

/** What the ledger tells in a trace: each transaction of a record, with its legs. */
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
