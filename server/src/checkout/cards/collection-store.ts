/** Rows of collections, one a loan. */

import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import type { Collection } from "./collection.ts";

type CollectionRow = Row<
  "card_collections",
  "loan_id" | "account_id" | "customer_id" | "due_date" | "first_tried_at" | "tries" | "next_at"
>;

/** Locks: the collection's row. The caller holds the loan's lock, which comes first. */
export async function lockCollection(tx: Tx, loanId: string): Promise<Collection | undefined> {
  const found = await sql<CollectionRow>`
    select loan_id, account_id, customer_id, due_date, first_tried_at, tries, next_at
    from card_collections where environment_id = ${tx.environment.id} and loan_id = ${loanId} for update`.execute(tx);
  return found.rows.map((row) => ({
    loanId: row.loan_id,
    accountId: row.account_id,
    customerId: row.customer_id,
    dueDate: row.due_date === null ? null : Temporal.PlainDate.from(row.due_date),
    firstTriedAt: row.first_tried_at,
    tries: row.tries,
    nextAt: row.next_at,
  }))[0];
}

export async function saveCollection(tx: Tx, collection: Collection): Promise<void> {
  const { loanId, accountId, customerId, dueDate, firstTriedAt, tries, nextAt } = collection;
  const now = tx.environment.clock.now();
  await sql`
    insert into card_collections (environment_id, loan_id, account_id, customer_id, due_date, first_tried_at, tries,
      next_at, updated_at)
    values (${tx.environment.id}, ${loanId}, ${accountId}, ${customerId}, ${dueDate?.toString() ?? null}::date,
      ${firstTriedAt}, ${tries}, ${nextAt}, ${now})
    on conflict (environment_id, loan_id) do update set due_date = excluded.due_date,
      first_tried_at = excluded.first_tried_at, tries = excluded.tries, next_at = excluded.next_at,
      updated_at = excluded.updated_at`.execute(tx);
}
