import { sql } from "kysely";
import { type Kobo, kobo, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Decider } from "./approval.ts";

export interface Limit {
  readonly amount: Kobo | null;
  readonly setBy: Decider;
  readonly setAt: Date;
}

export async function readLimit(tx: Tx): Promise<Limit | undefined> {
  const row = await tx
    .selectFrom("approval_limits")
    .select(["amount", "set_by", "set_by_email", "set_at"])
    .where("environment_id", "=", tx.environment.id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const amount = row.amount === null ? null : kobo(row.amount);
  return { amount, setBy: { id: row.set_by, email: row.set_by_email }, setAt: row.set_at };
}

export async function writeLimit(tx: Tx, { amount, setBy, setAt }: Limit): Promise<void> {
  const values = { amount, set_by: setBy.id, set_by_email: setBy.email, set_at: setAt };
  await tx
    .insertInto("approval_limits")
    .values({ environment_id: tx.environment.id, ...values })
    .onConflict((conflict) => conflict.column("environment_id").doUpdateSet(values))
    .execute();
}

/** One attempt of a person's at a time, until the transaction ends: the sum below must not be out of date. */
export async function lockSpender(tx: Tx, personId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.environment.id}/${personId}`}, 80))`.execute(tx);
}

export async function sumSpent(tx: Tx, personId: string, since: Date): Promise<Kobo> {
  const found = await sql<{ total: bigint }>`
    select coalesce(sum(amount), 0)::bigint as total from person_spendings
    where environment_id = ${tx.environment.id} and person_id = ${personId}::uuid and created_at > ${since}
      and not taken_back`.execute(tx);
  const [row] = found.rows;
  return row === undefined ? zeroKobo : kobo(row.total);
}

export interface Spending {
  readonly id: string;
  readonly personId: string;
  readonly reference: string;
  readonly amount: Kobo;
}

export async function insertSpending(tx: Tx, { id, personId, reference, amount }: Spending): Promise<void> {
  await tx
    .insertInto("person_spendings")
    .values({
      environment_id: tx.environment.id,
      id,
      person_id: personId,
      reference,
      amount,
      created_at: tx.environment.clock.now(),
    })
    .execute();
}

export async function takeBackSpending(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("person_spendings")
    .set({ taken_back: true })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}
