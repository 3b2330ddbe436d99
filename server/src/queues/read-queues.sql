-- How much work waits, of each kind, and for how long: for operators and for metrics. What is due now counts, not what
-- is booked for later, and no more than `at_most` rows of a kind are looked at. Sandboxes whose clock was moved keep
-- time of their own, so the age of their rows is reckoned by it.
create or replace function read_queues(at_most integer)
returns table (kind text, environment text, depth bigint, oldest_seconds double precision)
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with waiting (kind, environment_id, since) as (
      (select 'transfers', t.environment_id, t.claim_at from transfers t where t.claim_at is not null limit at_most)
      union all
      (select 'bills', b.environment_id, b.claim_at from bills b where b.claim_at is not null limit at_most)
      union all
      (select 'deliveries', d.environment_id, d.claim_at from webhook_deliveries d where d.queued limit at_most)
      union all
      (select 'agenda', a.environment_id, a.wake_at from agenda a where a.wake_at <= moment
        order by a.wake_at limit at_most)
      union all
      (select 'events', e.environment_id, e.created_at + (moment - n.now) from events e
        left join environment_clocks c on c.environment_id = e.environment_id
        cross join lateral (select case when c.mode = 'frozen' then c.frozen_at
          else moment + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end as now) n
        where e.list_position is null limit at_most)
      union all
      (select 'messages', m.environment_id, m.sent_at + (moment - n.now) from (
          (select o.environment_id, o.sent_at from consent_codes o
            where o.message_status = 'waiting' and o.status = 'live' limit at_most)
          union all
          (select l.environment_id, l.created_at from plan_link_messages l where l.status = 'waiting' limit at_most)) m
        left join environment_clocks c on c.environment_id = m.environment_id
        cross join lateral (select case when c.mode = 'frozen' then c.frozen_at
          else moment + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end as now) n)
      union all
      (select 'jobs', j.group_id::uuid, j.start_after from pgboss.job j
        where j.state < 'active' and j.start_after <= moment and j.group_id is not null limit at_most)
    )
    select w.kind::text, e.kind, count(*), extract(epoch from moment - min(w.since))::double precision
    from waiting w join environments e on e.id = w.environment_id
    where w.since <= moment
    group by w.kind, e.kind;
end
$$;
alter function read_queues owner to jara_lookup;
revoke execute on function read_queues from public;
grant execute on function read_queues to jara_app;
