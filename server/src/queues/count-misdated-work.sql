-- How much work of each kind a wrong clock has booked further ahead than its kind may ever wait.
create or replace function count_misdated_work(at_most integer)
returns table (kind text, environment text, misdated bigint)
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  furthest constant timestamptz := clock_timestamp() + interval '5 minutes';
begin
  return query
    with late (kind, environment_id) as (
      (select 'transfers', t.environment_id from transfers t where t.claim_at > furthest limit at_most)
      union all
      (select 'bills', b.environment_id from bills b where b.claim_at > furthest limit at_most)
      union all
      (select 'deliveries', d.environment_id from webhook_deliveries d
        where d.queued and d.claim_at > furthest limit at_most)
      union all
      (select 'agenda', a.environment_id from agenda a
        where a.booked_at > furthest and a.wake_at is not null limit at_most)
      union all
      (select 'jobs', j.group_id::uuid from pgboss.job j
        where j.state < 'active' and j.start_after > furthest and j.group_id is not null limit at_most)
    )
    select l.kind, e.kind, count(*) from late l join environments e on e.id = l.environment_id
    group by l.kind, e.kind;
end
$$;
alter function count_misdated_work owner to jara_lookup;
revoke execute on function count_misdated_work from public;
grant execute on function count_misdated_work to jara_app;
