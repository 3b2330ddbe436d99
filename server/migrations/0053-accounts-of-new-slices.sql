-- A slice that comes with an upgrade has system accounts that older environments lack. A starting server opens them.
create function find_environments_lacking_accounts(purposes text[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id from environments e
    where (select count(*) from accounts a
           where a.environment_id = e.id and not a.has_floor and a.purpose = any (purposes)) < cardinality(purposes)
    order by e.id;
  end;
alter function find_environments_lacking_accounts(text[]) owner to jara_lookup;
revoke execute on function find_environments_lacking_accounts(text[]) from public;
grant execute on function find_environments_lacking_accounts(text[]) to jara_app;
