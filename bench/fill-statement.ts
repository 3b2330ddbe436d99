/** A wallet with a long past: balanced postings, made by the database itself, that leave the ledger as it should be. */
import type { Payer } from "./payers.ts";
import type { Stage } from "./stage.ts";

const most = 200_000;

/** Money goes out and comes back in turn, so the balance is what it was. */
export async function fillStatement({ admin }: Pick<Stage, "admin">, payer: Payer, lines: number): Promise<void> {
  for (let left = lines; left > 0; left -= most) await fill(admin, payer, Math.min(left, most));
  await admin.query("vacuum analyze");
}

async function fill(admin: Stage["admin"], { environmentId, mainWallet }: Payer, lines: number): Promise<void> {
  await admin.query("begin");
  await admin.query(`create temporary table line on commit drop as
    select n, uuidv7() as id, case when n % 2 = 1 then -150000 else 150000 end as amount
    from generate_series(1, ${lines}) n`);
  await admin.query(
    `insert into ledger_transactions (environment_id, id, posted_at, kind, resource_type, reference, narration)
     select $1, l.id, now(), 'wallet.transfer', 'wallet_movement', 'line-' || l.n, 'Salary November' from line l`,
    [environmentId],
  );
  await admin.query(
    `insert into entries (environment_id, transaction_id, account_id, amount, balance_after, account_entry, posted_at)
     select $1, l.id, a.id, l.amount, a.balance + sum(l.amount) over (order by l.n), a.entry_count + l.n, now()
     from line l, accounts a where a.environment_id = $1 and a.id = $2
     union all
     select $1, l.id, o.id, -l.amount, null, null, now()
     from line l, (
       select id from accounts where environment_id = $1 and not has_floor order by id limit 1) o`,
    [environmentId, mainWallet],
  );
  await admin.query(
    `update accounts a set balance = a.balance + t.amount, entry_count = a.entry_count + t.lines
     from (select sum(amount) as amount, count(*) as lines from line) t
     where a.environment_id = $1 and a.id = $2`,
    [environmentId, mainWallet],
  );
  await admin.query("commit");
}
