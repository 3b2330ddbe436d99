-- How much work of each kind a wrong clock has booked further ahead than its kind may ever wait.
create or replace function count_misdated_work(at_most integer)
returns table (kind text, environment text, misdated bigint)
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  furthest constant timestamptz := clock_timestamp() + interval '5 minutes';
  booked text;
begin
  select string_agg(format('(select %L::text, q.environment_id from %I q where q.booked_for > $1 limit $2)',
      substr(c.relname, length('queue_of_') + 1), c.relname), ' union all ')
    into booked
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relname ^@ 'queue_of_';
  return query execute format($query$
    with late (kind, environment_id) as (
      %s
      union all
      (select 'jobs', j.group_id::uuid from pgboss.job j
        where j.state < 'active' and j.start_after > $1 and j.group_id is not null limit $2)
    )
    select l.kind, e.kind, count(*) from late l join environments e on e.id = l.environment_id
    group by l.kind, e.kind $query$, booked) using furthest, at_most;
end
$$;
alter function count_misdated_work owner to jara_lookup;
revoke execute on function count_misdated_work from public;
grant execute on function count_misdated_work to jara_app;
