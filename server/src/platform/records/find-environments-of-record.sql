-- An operator names a record by its id alone. The tables are those that slices name, each with environment_id and id.
create or replace function find_environments_of_record(tables text[], wanted uuid)
returns table (environment_id uuid)
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  place text;
begin
  if not in_operator_scope() then
    raise exception 'only an operator looks across environments';
  end if;
  foreach place in array tables loop
    return query execute format(
      'select e.id from environments e
       where exists (select from %I r where r.environment_id = e.id and r.id = $1)', place) using wanted;
  end loop;
end
$$;
alter function find_environments_of_record owner to jara_lookup;
revoke execute on function find_environments_of_record from public;
grant execute on function find_environments_of_record to jara_app;
