-- What waits for an operator's decision, of all environments, live ones first and then the oldest. A sandbox decides by
-- itself within seconds, so what waits there counts after a minute of its own time. A kind is a view
-- `decisions_of_<kind>` in the room that asks for the decision; no more than `at_most` rows of each are looked at, by
-- indexes that hold only what waits.
create or replace function list_decisions(at_most integer, wanted_kind text, wanted_environment text)
returns table (kind text, id uuid, customer_id uuid, environment_id uuid, environment text, merchant_id uuid,
  merchant text, name text, amount bigint, detail text, since timestamptz, age_seconds double precision)
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  waiting text;
begin
  select string_agg(format('(select %L::text, d.id, d.customer_id, d.environment_id, d.name, d.amount, d.detail,
      d.since, d.until from %I d limit $1)', substr(c.relname, length('decisions_of_') + 1), c.relname), ' union all ')
    into waiting
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relname ^@ 'decisions_of_'
      and c.relname = coalesce('decisions_of_' || wanted_kind, c.relname);
  return query execute format($query$
    with waiting (kind, id, customer_id, environment_id, name, amount, detail, since, until) as (%s)
    select w.kind, w.id, w.customer_id, w.environment_id, e.kind, m.id, m.name, w.name, w.amount, w.detail, w.since,
      extract(epoch from n.now - w.since)::double precision
    from waiting w
    join environments e on e.id = w.environment_id
    join merchants m on m.id = e.merchant_id
    left join environment_clocks c on c.environment_id = w.environment_id
    cross join lateral (select time_on(c, clock_timestamp()) as now) n
    where (w.until is null or w.until > n.now)
      and (e.kind = 'LIVE' or w.since <= n.now - interval '1 minute')
      and e.kind = coalesce($2, e.kind)
    order by (e.kind = 'LIVE') desc, n.now - w.since desc, w.id $query$, waiting) using at_most, wanted_environment;
end
$$;
alter function list_decisions owner to jara_lookup;
revoke execute on function list_decisions from public;
grant execute on function list_decisions to jara_app;
