-- Posts a batch and answers with the items it refused for lack of funds. Items are numbered from 1 in the order of
-- the transaction arrays; legs name their item. The only code that changes balances.
-- Locks: the accounts with a floor, in id order. Nothing else is waited for.
-- Few accounts stand behind many legs: they are read once, into arrays, and every later step joins those.
create or replace function ledger_post(
  posted timestamptz, ids uuid[], kinds text[], resource_types text[], resource_ids uuid[], refs text[],
  narrations text[], leg_items integer[], leg_accounts uuid[], leg_amounts bigint[]) returns integer[]
  language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  environment uuid := current_environment();
  touched uuid[] := array(select distinct l.account from unnest(leg_accounts) as l (account));
  floor_ids uuid[];
  floor_balances bigint[];
  floor_counts bigint[];
  refused integer[] := '{}';
begin
  select array_agg(f.id), array_agg(f.balance), array_agg(f.entry_count)
  into floor_ids, floor_balances, floor_counts
  from (
    select a.id, a.balance, a.entry_count from accounts a
    where a.environment_id = environment and a.has_floor and a.id = any (touched)
    order by a.id for update) f;

  -- A leg on an account that does not exist would silently fall out of the balances.
  if cardinality(touched) <> (
    select count(*) from accounts a where a.environment_id = environment and a.id = any (touched)
  ) then
    raise exception 'a posting names an unknown account'
      using errcode = 'foreign_key_violation', constraint = 'ledger_known_account';
  end if;

  -- Where the money covers all debits together, their order does not matter and nobody can be refused.
  if exists (
    select from unnest(leg_accounts, leg_amounts) as l (account, amount)
    join unnest(floor_ids, floor_balances) as f (id, balance) on f.id = l.account
    group by f.id, f.balance having f.balance + sum(least(l.amount, 0)) < 0
  ) then
    refused := ledger_refused(leg_items, leg_accounts, leg_amounts);
  end if;

  insert into ledger_transactions
    (environment_id, id, kind, resource_type, resource_id, reference, narration, posted_at)
  select environment, t.id, t.kind, t.resource_type, nullif(t.resource_id, t.id), t.reference, t.narration, posted
  from unnest(ids, kinds, resource_types, resource_ids, refs, narrations) with ordinality
    as t (id, kind, resource_type, resource_id, reference, narration, n)
  where t.n <> all (refused);

  with written as (
    insert into entries
      (environment_id, transaction_id, account_id, amount, balance_after, account_entry, posted_at)
    select environment, ids[l.n], l.account, l.amount,
      f.balance + sum(l.amount) over account_so_far,
      f.entry_count + row_number() over account_so_far,
      posted
    from unnest(leg_items, leg_accounts, leg_amounts) as l (n, account, amount)
    left join unnest(floor_ids, floor_balances, floor_counts) as f (id, balance, entry_count) on f.id = l.account
    where l.n <> all (refused)
    window account_so_far as (partition by l.account order by l.n)
    returning account_id, amount, account_entry
  ), sums as (
    select w.account_id, sum(w.amount)::bigint as amount, count(w.account_entry) as added from written w
    group by w.account_id
  ), updated as (
    update accounts a set balance = a.balance + s.amount, entry_count = a.entry_count + s.added
    from sums s where a.environment_id = environment and a.id = s.account_id and s.added > 0
  )
  insert into account_deltas (environment_id, account_id, amount)
  select environment, s.account_id, s.amount from sums s where s.added = 0;

  return refused;
end
$$;
alter function ledger_post owner to jara_lookup;
revoke execute on function ledger_post from public;
grant execute on function ledger_post to jara_app;
