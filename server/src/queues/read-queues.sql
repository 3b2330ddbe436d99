-- How much work waits, of each kind, and for how long: for operators and for metrics. What is due now counts, not what
-- is booked for later, and no more than `at_most` rows of a kind are looked at. A kind is a view `queue_of_<kind>` in
-- the room that has the work; the job library's tables are there before it, so its jobs stand here.
create or replace function read_queues(at_most integer)
returns table (kind text, environment text, depth bigint, oldest_seconds double precision)
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  moment constant timestamptz := clock_timestamp();
  waiting text;
begin
  select string_agg(format('(select %L::text, q.environment_id, q.since from %I q where q.since <= $1 limit $2)',
      substr(c.relname, length('queue_of_') + 1), c.relname), ' union all ')
    into waiting
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relname ^@ 'queue_of_';
  return query execute format($query$
    with waiting (kind, environment_id, since) as (
      %s
      union all
      (select 'jobs', j.group_id::uuid, j.start_after from pgboss.job j
        where j.state < 'active' and j.start_after <= $1 and j.group_id is not null limit $2)
    )
    select w.kind, e.kind, count(*), extract(epoch from $1 - min(w.since))::double precision
    from waiting w join environments e on e.id = w.environment_id
    group by w.kind, e.kind $query$, waiting) using moment, at_most;
end
$$;
alter function read_queues owner to jara_lookup;
revoke execute on function read_queues from public;
grant execute on function read_queues to jara_app;
