-- What operators decided about these records, for their trace.
create or replace function list_decisions_about(subjects text[])
returns table (id uuid, at timestamptz, actor text, action text, subject_type text, subject_id text, detail jsonb,
  address text, request_id text)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select a.id, a.at, a.actor, a.action, a.subject_type, a.subject_id, a.detail, a.address, a.request_id
  from audit_entries a
  where a.about_environment = current_environment() and a.subject_id = any (subjects);
end;
alter function list_decisions_about owner to jara_lookup;
revoke execute on function list_decisions_about from public;
grant execute on function list_decisions_about to jara_app;
