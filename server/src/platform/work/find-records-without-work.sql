-- Of these records, those that nothing will ever move again: no agenda entry and no live job. In a frozen sandbox a
-- record is between two steps of its own whenever somebody is at work there, so only what nobody has written for a
-- minute counts. The body is text, not checked at creation, because the job library makes its tables later.
create or replace function find_records_without_work(
  task_kind text, environment_ids uuid[], subjects text[], idle_seconds integer)
  returns table (environment_id uuid, subject text)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    select r.environment_id, r.subject from unnest(environment_ids, subjects) as r (environment_id, subject)
    where not exists (
      select from agenda a
      where a.environment_id = r.environment_id and a.kind = task_kind and a.subject = r.subject)
    and not exists (
      select from pgboss.job j
      where j.name = task_kind and j.state in ('created', 'retry', 'active')
        and j.singleton_key = r.subject and j.group_id = r.environment_id::text)
    and not exists (
      select from environment_clocks c
      where c.environment_id = r.environment_id and c.mode = 'frozen'
        and c.touched_at > clock_timestamp() - make_interval(secs => idle_seconds));
end
$$;
alter function find_records_without_work owner to jara_lookup;
revoke execute on function find_records_without_work from public;
grant execute on function find_records_without_work to jara_app;
