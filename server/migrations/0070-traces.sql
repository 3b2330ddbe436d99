-- Where is my money, and why: what the traces need besides the rows that are there anyway.

-- An operator's decision is part of a record's story. The trail itself stays out of a tenant's sight: this shows only
-- what was decided about records of the environment that the transaction is in.
create index audit_entries_by_subject on audit_entries (about_environment, subject_id);

create function list_decisions_about(subjects text[])
returns table (id uuid, at timestamptz, actor text, action text, subject_type text, subject_id text, detail jsonb,
  address text, request_id text)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select a.id, a.at, a.actor, a.action, a.subject_type, a.subject_id, a.detail, a.address, a.request_id
  from audit_entries a
  where a.about_environment = current_environment() and a.subject_id = any (subjects);
end;
alter function list_decisions_about(text[]) owner to jara_lookup;
revoke execute on function list_decisions_about(text[]) from public;
grant execute on function list_decisions_about(text[]) to jara_app;
grant select on audit_entries to jara_lookup;
create policy lookup on audit_entries for select to jara_lookup using (true);

-- An operator names a record by its id alone. The tables are those that slices name, each with environment_id and id.
create function find_environments_of_record(tables text[], wanted uuid)
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
alter function find_environments_of_record(text[], uuid) owner to jara_lookup;
revoke execute on function find_environments_of_record(text[], uuid) from public;
grant execute on function find_environments_of_record(text[], uuid) to jara_app;
