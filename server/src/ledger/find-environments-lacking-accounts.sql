-- Environments that lack one of these system accounts, because they are older than the slice that brought it. A
-- starting server opens them.
create or replace function find_environments_lacking_accounts(purposes text[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id from environments e
    where (select count(*) from accounts a
        where a.environment_id = e.id and not a.has_floor and a.purpose = any (purposes)) < cardinality(purposes)
    order by e.id;
  end;
alter function find_environments_lacking_accounts owner to jara_lookup;
revoke execute on function find_environments_lacking_accounts from public;
grant execute on function find_environments_lacking_accounts to jara_app;
