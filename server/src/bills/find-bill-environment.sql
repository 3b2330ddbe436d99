-- Whose bill this is, for operators, who name it by its id alone.
create or replace function find_bill_environment(wanted uuid) returns table (environment_id uuid, environment_kind text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    -- By the primary key of each environment in turn: an index on the id alone would cost every bill.
    select e.id, e.kind from environments e
    where exists (select from bills b where b.environment_id = e.id and b.id = wanted);
  end;
alter function find_bill_environment owner to jara_lookup;
revoke execute on function find_bill_environment from public;
grant execute on function find_bill_environment to jara_app;
