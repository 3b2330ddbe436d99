import { sql } from "kysely";
import { type Kobo, kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { batchReferences, payoutList } from "./transfer.ts";

type State = "made" | "waiting" | "withdrawn";

/** Another payment by hand, and what of it the asked one would pay again. */
export interface EarlierPayment {
  readonly id: string;
  readonly kind: "payout" | "batch";
  readonly state: State;
  readonly amount: Kobo;
  readonly personId: string;
  readonly personName: string;
  readonly madeAt: Date;
  /** The transfer or batch; null while there is none. */
  readonly recordId: string | null;
  readonly repeated: readonly string[];
}

/** One payment by hand at a time in an environment, until the transaction ends: what is looked for must not be on its way. */
export async function lockHandPayments(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.environment.id}/hand-payments`}, 81))`.execute(tx);
}

interface Question {
  readonly since: Date;
  readonly payouts: readonly string[];
  readonly kinds: readonly EarlierPayment["kind"][];
  /** A reference that does not count. */
  readonly except: string | null;
}

/** A payout counts until it fails; all of a payment that has no record counts, because it waits or is being accepted. */
export async function findEarlier(tx: Tx, { since, payouts, kinds, except }: Question): Promise<EarlierPayment[]> {
  const found = await sql<{
    id: string;
    kind: EarlierPayment["kind"];
    state: State;
    amount: bigint;
    person_id: string;
    person_name: string;
    made_at: Date;
    record_id: string | null;
    repeated: string[];
  }>`
    with recent as materialized (
      select p.id, p.kind, p.state, p.amount, p.payouts, p.person_id, p.person_name, p.made_at, r.record_id
      from hand_payments p
      left join reference_claims r on r.environment_id = p.environment_id and r.reference = p.reference
        and r.kind = case p.kind when 'batch' then ${batchReferences} else ${payoutList} end
      where p.environment_id = ${tx.environment.id} and p.made_at > ${since} and p.state <> 'withdrawn'
        and p.kind = any(${kinds}::text[]) and p.reference is distinct from ${except}
    ), standing as (
      select n.id, unnest(n.payouts) as payout from recent n where n.record_id is null or n.state = 'waiting'
      union
      select n.id, t.bank_code || '/' || t.account_number || '/' || t.amount from recent n
      join transfers t on t.environment_id = ${tx.environment.id} and t.id = n.record_id
      where n.kind = 'payout' and t.status not in ('failed', 'reversed')
      union
      select n.id, t.bank_code || '/' || t.account_number || '/' || t.amount from recent n
      join transfers t on t.environment_id = ${tx.environment.id} and t.batch_id = n.record_id
      where n.kind = 'batch' and t.status not in ('failed', 'reversed')
    )
    select n.id, n.kind, n.state, n.amount, n.person_id, n.person_name, n.made_at, n.record_id,
      array_agg(distinct s.payout) as repeated
    from recent n
    join standing s on s.id = n.id
    where s.payout = any(${payouts}::text[])
    group by n.id, n.kind, n.state, n.amount, n.person_id, n.person_name, n.made_at, n.record_id
    order by n.made_at desc, n.id desc
    limit 100`.execute(tx);
  return found.rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    state: row.state,
    amount: kobo(row.amount),
    personId: row.person_id,
    personName: row.person_name,
    madeAt: row.made_at,
    recordId: row.record_id,
    repeated: row.repeated,
  }));
}

/** The latest payment of just these recipients and amounts, whatever became of it. */
export async function findLatestOf(tx: Tx, content: Buffer): Promise<string | null> {
  const row = await tx
    .selectFrom("hand_payments")
    .select("id")
    .where("environment_id", "=", tx.environment.id)
    .where("content", "=", content)
    .orderBy("made_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export interface NewHandPayment {
  readonly id: string;
  readonly kind: EarlierPayment["kind"];
  readonly reference: string;
  readonly content: Buffer;
  readonly payouts: readonly string[];
  readonly amount: Kobo;
  readonly person: { readonly id: string; readonly name: string };
  readonly madeAt: Date;
  readonly state: State;
}

export async function insertHandPayment(
  tx: Tx,
  { person, madeAt, payouts, ...payment }: NewHandPayment,
): Promise<void> {
  await tx
    .insertInto("hand_payments")
    .values({
      ...payment,
      environment_id: tx.environment.id,
      payouts: [...payouts],
      person_id: person.id,
      person_name: person.name,
      made_at: madeAt,
    })
    .execute();
}

/** Nothing to move for an order that was asked for before payments by hand were written down. */
export async function moveHandPayment(tx: Tx, id: string, state: "made" | "withdrawn"): Promise<void> {
  await tx
    .updateTable("hand_payments")
    .set({ state, ...(state === "made" ? { made_at: tx.environment.clock.now() } : {}) })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}
