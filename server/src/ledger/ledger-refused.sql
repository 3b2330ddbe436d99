-- Which items of a batch cannot be paid when they are taken one after another: an item that would push an account
-- below its floor is refused and leaves the money to those after it.
create or replace function ledger_refused(leg_items integer[], leg_accounts uuid[], leg_amounts bigint[])
  returns integer[]
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
revoke execute on function ledger_refused from public;
grant execute on function ledger_refused to jara_lookup;
