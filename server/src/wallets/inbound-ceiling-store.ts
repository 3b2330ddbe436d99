/** Ceilings of money that comes in, and what a wallet's day has used up. In the operator's scope. */
import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { InboundCeiling, SetCeiling } from "./inbound-ceiling.ts";

export async function findCeiling(tx: Tx): Promise<SetCeiling | undefined> {
  const row = await tx
    .selectFrom("inbound_ceilings")
    .select(["per_credit", "per_day", "reason", "created_at"])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      perCredit: kobo(row.per_credit),
      perDay: kobo(row.per_day),
      reason: row.reason,
      setAt: row.created_at,
    }
  );
}

export async function insertCeiling(
  tx: Tx,
  { perCredit, perDay, reason }: InboundCeiling & { readonly reason: string },
): Promise<SetCeiling> {
  const { created_at: setAt } = await tx
    .insertInto("inbound_ceilings")
    .values({ id: tx.environment.clock.newId(), per_credit: perCredit, per_day: perDay, reason })
    .returning("created_at")
    .executeTakeFirstOrThrow();
  return { perCredit, perDay, reason, setAt };
}

export async function sumCounted(tx: Tx, walletId: string, day: Temporal.PlainDate): Promise<Kobo> {
  const found = await sql<{ total: bigint }>`
    select coalesce(sum(amount), 0)::bigint as total from inbound_credits
    where wallet_id = ${walletId}::uuid and counted_on = ${day.toString()}::date`.execute(tx);
  return kobo(found.rows[0]?.total ?? 0n);
}
