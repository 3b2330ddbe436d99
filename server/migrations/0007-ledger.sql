-- Double entry, append only, exact. An account with a floor (a wallet, a lender's funding account) never goes below
-- zero, carries its balance, and numbers its entries so that a statement is a range of numbers. An account without a
-- floor (transit, settlement, fees) is never locked by a payment: each batch adds one row to account_deltas, and its
-- balance is what is folded plus the deltas that are not.
create table accounts (
  environment_id uuid not null references environments (id),
  id uuid not null,
  purpose text not null,
  currency text not null default 'NGN' check (currency = 'NGN'),
  has_floor boolean not null,
  balance bigint not null default 0,
  entry_count bigint not null default 0,
  created_at timestamptz not null,
  primary key (environment_id, id),
  constraint accounts_floor check (not has_floor or balance >= 0)
) with (fillfactor = 50);
-- An environment has one of each system account; wallets are many, and each has its own account for money it has
-- committed but not yet lost (purpose "held").
create unique index accounts_one_system_account on accounts (environment_id, purpose)
  where not has_floor and purpose <> 'held';

create table account_deltas (
  environment_id uuid not null,
  account_id uuid not null,
  amount bigint not null
);
create index account_deltas_by_account on account_deltas (environment_id, account_id);

-- The order of columns keeps hot rows free of padding.
create table ledger_transactions (
  environment_id uuid not null,
  id uuid not null,
  posted_at timestamptz not null,
  -- Null: the record's first transaction, which carries the record's own id. The key finds it; only later ones need the
  -- index below.
  resource_id uuid check (resource_id <> id),
  kind text not null,
  resource_type text not null,
  reference text,
  narration text,
  primary key (environment_id, id)
);
create index ledger_transactions_by_resource on ledger_transactions (environment_id, resource_id)
  where resource_id is not null;

-- At most one entry an account in a transaction. A debit of the account's owner is negative.
create table entries (
  environment_id uuid not null,
  transaction_id uuid not null,
  account_id uuid not null,
  amount bigint not null check (amount <> 0),
  -- Accounts with a floor only: the balance after this entry and its number in the account.
  balance_after bigint check (balance_after >= 0),
  account_entry bigint,
  posted_at timestamptz not null
);
create unique index entries_by_account on entries (environment_id, account_id, account_entry)
  where account_entry is not null;
-- Ids rise with time and so does the table: a block range index finds a transaction's entries at almost no cost to
-- the writer, where a tree would add a tenth to what a payout writes.
create index entries_by_transaction on entries
  using brin (transaction_id uuid_minmax_multi_ops) with (pages_per_range = 16);

call protect_tenant_table('accounts');
call protect_tenant_table('account_deltas');
call protect_tenant_table('ledger_transactions');
call protect_tenant_table('entries');
grant select, insert, update on accounts to jara_app, jara_lookup;
grant select, insert on account_deltas, ledger_transactions, entries to jara_app;
grant select, delete on account_deltas to jara_lookup;
grant select, delete on ledger_transactions, entries to jara_lookup;

create function check_entries_balance() returns trigger
  language plpgsql as $$
begin
  if exists (select from inserted group by environment_id, transaction_id having sum(amount) <> 0) then
    raise exception 'the entries of a ledger transaction do not sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger entries_sum_to_zero after insert on entries
  referencing new table as inserted for each statement execute function check_entries_balance();

-- Only the look-up role may delete, and it does so in one place: the reset of a sandbox.
create function refuse_ledger_change() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_user = 'jara_lookup' then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_ledger_change();
create trigger ledger_transactions_append_only before update or delete or truncate on ledger_transactions
  for each statement execute function refuse_ledger_change();

-- Which items of a batch cannot be paid when they are taken one after another: an item that would push an account
-- below its floor is refused and leaves the money to those after it.
create function ledger_refused(leg_items integer[], leg_accounts uuid[], leg_amounts bigint[]) returns integer[]
  language plpgsql as $$
declare
  balances jsonb;
  refused integer[] := '{}';
  item record;
  leg record;
  fits boolean;
begin
  select jsonb_object_agg(a.id::text, a.balance) into balances from accounts a
  where a.environment_id = current_environment() and a.has_floor and a.id = any (leg_accounts);
  for item in
    select l.n, array_agg(l.account) as accounts, array_agg(l.amount) as amounts
    from unnest(leg_items, leg_accounts, leg_amounts) as l (n, account, amount)
    where balances ? l.account::text
    group by l.n order by l.n
  loop
    fits := true;
    for leg in select * from unnest(item.accounts, item.amounts) as l (account, amount) loop
      fits := fits and (balances ->> leg.account::text)::bigint + leg.amount >= 0;
    end loop;
    if fits then
      for leg in select * from unnest(item.accounts, item.amounts) as l (account, amount) loop
        balances := jsonb_set(balances, array[leg.account::text],
          to_jsonb((balances ->> leg.account::text)::bigint + leg.amount));
      end loop;
    else
      refused := refused || item.n;
    end if;
  end loop;
  return refused;
end
$$;

-- Posts a batch and answers with the items it refused for lack of funds. Items are numbered from 1 in the order of
-- the transaction arrays; legs name their item. The only code that changes balances.
-- Locks: the accounts with a floor, in id order. Nothing else is waited for.
-- Few accounts stand behind many legs: they are read once, into arrays, and every later step joins those.
create function ledger_post(
  posted timestamptz, ids uuid[], kinds text[], resource_types text[], resource_ids uuid[], refs text[],
  narrations text[], leg_items integer[], leg_accounts uuid[], leg_amounts bigint[]) returns integer[]
  language plpgsql as $$
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
grant execute on function ledger_post(
  timestamptz, uuid[], text[], text[], uuid[], text[], text[], integer[], uuid[], bigint[]) to jara_app;
grant execute on function ledger_refused(integer[], uuid[], bigint[]) to jara_app;

-- Adds the waiting deltas to their accounts. Rows are deleted and counted in one statement, so a delta that commits
-- late is simply left for the next time. Locks: account rows in id order.
create function fold_account_deltas() returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  folded integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('jara.fold_account_deltas')) then
    return 0;
  end if;
  with taken as (
    delete from account_deltas returning environment_id, account_id, amount
  ), sums as (
    select t.environment_id, t.account_id, sum(t.amount)::bigint as amount, count(*) as rows
    from taken t group by t.environment_id, t.account_id
  ), updated as (
    update accounts a set balance = a.balance + s.amount
    from sums s where a.environment_id = s.environment_id and a.id = s.account_id
    returning s.rows
  )
  select coalesce(sum(u.rows), 0) into folded from updated u;
  return folded;
end
$$;
alter function fold_account_deltas() owner to jara_lookup;
revoke execute on function fold_account_deltas() from public;
grant execute on function fold_account_deltas() to jara_app;

-- A merchant's reference is used once per environment and kind, for ever. The row is written before the money moves;
-- whoever comes second waits for the first to commit and then finds the record it belongs to.
create table reference_claims (
  environment_id uuid not null,
  kind text not null,
  reference text not null check (length(reference) between 1 and 100),
  record_id uuid not null,
  primary key (environment_id, kind, reference)
);
call protect_tenant_table('reference_claims');
grant select, insert, delete on reference_claims to jara_app;

-- Claims references for records and answers with those that were free. Twins are rare, so the first attempt is a plain
-- insert: `on conflict` writes every row twice to the log. Locks: index entries in the order of the references.
create function claim_references(claim_kind text, wanted text[], records uuid[])
  returns table (reference text, record_id uuid)
  language plpgsql as $$
begin
  begin
    insert into reference_claims (environment_id, kind, reference, record_id)
    select current_environment(), claim_kind, w.reference, w.record_id
    from unnest(wanted, records) as w (reference, record_id)
    order by w.reference;
    return query select * from unnest(wanted, records);
    return;
  exception when unique_violation then
    -- Some are taken, in this batch or before: find out which.
    null;
  end;
  return query
    insert into reference_claims (environment_id, kind, reference, record_id)
    select current_environment(), claim_kind, w.reference, w.record_id
    from unnest(wanted, records) as w (reference, record_id)
    order by w.reference
    on conflict do nothing
    returning reference_claims.reference, reference_claims.record_id;
end
$$;
grant execute on function claim_references(text, text[], uuid[]) to jara_app;
