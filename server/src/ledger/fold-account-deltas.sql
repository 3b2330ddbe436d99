-- Adds the waiting deltas to their accounts. Rows are deleted and counted in one statement, so a delta that commits
-- late is simply left for the next time. Locks: account rows in id order.
create or replace function fold_account_deltas() returns integer
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
alter function fold_account_deltas owner to jara_lookup;
revoke execute on function fold_account_deltas from public;
grant execute on function fold_account_deltas to jara_app;
