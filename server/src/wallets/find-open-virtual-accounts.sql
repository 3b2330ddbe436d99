-- Account numbers of all environments that a bank still owes, in the order of their keys.
create or replace function find_open_virtual_accounts(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select v.environment_id, v.id from virtual_accounts v
    where v.completed_at is null and (v.environment_id, v.id) > (after_environment, after_id)
    order by v.environment_id, v.id limit at_most;
  end;
alter function find_open_virtual_accounts owner to jara_lookup;
revoke execute on function find_open_virtual_accounts from public;
grant execute on function find_open_virtual_accounts to jara_app;
