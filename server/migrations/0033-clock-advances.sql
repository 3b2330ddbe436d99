-- How long nobody must have written in a frozen sandbox before its records count as stranded is for the caller to say.
drop function find_records_without_work(text, uuid[], text[]);
create function find_records_without_work(
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
alter function find_records_without_work(text, uuid[], text[], integer) owner to jara_lookup;
revoke execute on function find_records_without_work(text, uuid[], text[], integer) from public;
grant execute on function find_records_without_work(text, uuid[], text[], integer) to jara_app;

-- Advances of a sandbox's clock that nobody waits for: what was asked, and how far it has come.
create table clock_advances (
  environment_id uuid not null references environments (id),
  id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'stopped')),
  started_from timestamptz not null,
  wanted_to timestamptz not null,
  -- Where the clock stands, as far as has been written down.
  reached timestamptz not null,
  ran bigint not null default 0,
  -- The problem that stopped it: its code and the sentence that says what to do.
  error jsonb,
  -- In real time, like leases: when it was asked for, and when whoever runs it was last heard of.
  asked_at timestamptz not null default clock_timestamp(),
  heard_at timestamptz not null default clock_timestamp(),
  primary key (environment_id, id)
);
-- One at a time.
create unique index clock_advances_open on clock_advances (environment_id) where state in ('waiting', 'running');
call protect_tenant_table('clock_advances');
grant select, insert, update on clock_advances to jara_app;
grant select on clock_advances to jara_lookup;

-- Advances whose process has not been heard of for a while: whoever finds them goes on.
create function find_waiting_advances(silent_seconds integer, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp begin atomic
  select a.environment_id, a.id from clock_advances a
  where a.state in ('waiting', 'running') and a.heard_at < clock_timestamp() - make_interval(secs => silent_seconds)
  order by a.asked_at limit at_most;
end;
alter function find_waiting_advances(integer, integer) owner to jara_lookup;
revoke execute on function find_waiting_advances(integer, integer) from public;
grant execute on function find_waiting_advances(integer, integer) to jara_app;
