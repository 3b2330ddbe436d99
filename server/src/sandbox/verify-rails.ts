/**
 * Holds what we say of an order against the books of the simulated rail that took it: what has ended with us has ended
 * there in the same way and over the same amount. A rail writes its books before we write ours, so one picture of the
 * database never shows the rail behind. What an operator has resolved by evidence is left out, because the simulated
 * rail may know nothing of that evidence. Orders in the books that no record of ours knows are not looked for: an order
 * that was on its way while its sandbox was emptied is one. Intact records return an empty list.
 */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";

const mostNamed = 1_000;

/** What the rail may say of an order, by what we say. A rail that takes something back tells us of it afterwards. */
const agreeing: readonly (readonly [kind: string, ours: string, theirs: readonly string[]])[] = [
  ["transfer", "completed", ["paid", "reversed"]],
  ["transfer", "failed", ["none", "unreached", "refused"]],
  ["transfer", "reversed", ["reversed"]],
  ["bill", "successful", ["delivered", "reversed"]],
  ["bill", "failed", ["none", "refused"]],
  ["bill", "reversed", ["reversed"]],
  ["charge", "successful", ["paid", "reversed"]],
  ["charge", "failed", ["none", "declined"]],
  ["refund", "successful", ["paid"]],
  ["refund", "failed", ["none", "declined"]],
];

const pairs = agreeing.flatMap(([kind, ours, theirs]) => theirs.map((said) => `${kind} ${ours} ${said}`));
const final = (kind: string) => agreeing.filter(([of]) => of === kind).map(([, ours]) => ours);

export async function verifySimulatedRails(tx: Tx): Promise<Difference[]> {
  if (tx.environment.kind !== "SANDBOX") return [];
  const { id } = tx.environment;
  const found = await sql<Difference>`
    with orders as (
      select 'transfer' as kind, t.id, t.status as ours, t.amount, coalesce(p.status, 'none') as theirs,
        p.amount as said
      from transfers t
      left join simulated_bank.payments p on p.sandbox = t.environment_id and p.session_id = t.session_id
      where t.environment_id = ${id} and t.connection_id is null and t.status = any (${final("transfer")}::text[])
      union all
      select 'bill', b.id, b.status, b.amount, coalesce(v.status, 'none'), v.amount
      from bills b left join simulated_biller.vends v on v.sandbox = b.environment_id and v.request_id = b.id
      where b.environment_id = ${id} and b.connection_id is null and b.status = any (${final("bill")}::text[])
      union all
      select 'charge', c.id, c.status, c.amount, coalesce(s.status, 'none'), s.amount
      from card_charges c left join simulated_card.charges s on s.sandbox = c.environment_id and s.charge_id = c.id
      where c.environment_id = ${id} and c.connection_id is null and c.status = any (${final("charge")}::text[])
      union all
      select 'refund', r.id, r.status, r.amount, coalesce(s.status, 'none'), s.amount
      from card_refunds r
      join card_charges c on c.environment_id = r.environment_id and c.id = r.charge_id and c.connection_id is null
      left join simulated_card.refunds s on s.sandbox = r.environment_id and s.refund_id = r.id
      where r.environment_id = ${id} and r.status = any (${final("refund")}::text[])
    ), wrong as (
      select o.* from orders o
      where o.amount <> o.said or concat_ws(' ', o.kind, o.ours, o.theirs) <> all (${pairs}::text[])
      limit ${mostNamed}
    ), decided as (
      select d.subject_id from list_decisions_about(array(select w.id::text from wrong w)) d
      where d.action in ('transfer.resolve', 'bill.resolve')
    )
    select w.kind || ' and the simulated rail agree' as check, w.id::text as subject,
      w.ours || ' ' || w.amount as expected, concat_ws(' ', w.theirs, w.said) as found
    from wrong w where w.id::text not in (select subject_id from decided)
    order by w.id`.execute(tx);
  return found.rows;
}
