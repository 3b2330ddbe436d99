-- Two steps of a webhook wait for no disk any more: its claim and its arrival. Both may be lost when PostgreSQL dies,
-- and then the message is sent again under the same id, as after a claim whose worker died. A claim also says what all
-- deliveries to one endpoint share with the first of them alone.

-- safe because it came with the migration before, and no release has it.
drop function claim_webhook_deliveries(
  integer, integer, integer, integer, jsonb, uuid, uuid, uuid, uuid, uuid[], uuid[], bigint[]);
create function claim_webhook_deliveries(
  at_most integer, sandboxes_at_most integer, per_endpoint integer, lease_seconds integer, rooms jsonb,
  after_live_environment uuid, after_live_endpoint uuid, after_environment uuid, after_endpoint uuid,
  busy_environments uuid[], busy_endpoints uuid[], busy_positions bigint[])
  returns table (environment_id uuid, endpoint_id uuid, event_id uuid, resource_id uuid, event_position bigint,
    attempts integer, event text, created_at timestamptz, due_at timestamptz, resource_version integer, data text,
    environment_kind text, url text, sealed_secret bytea, sealed_previous_secret bytea,
    previous_secret_until timestamptz, claimed_at timestamptz)
  language plpgsql
  security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
  the_end constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
begin
  -- A claim that is lost is made again, and its messages are sent again under their ids.
  perform set_config('synchronous_commit', 'off', true);
  return query
    with recursive busy as materialized (
      select b.* from unnest(busy_environments, busy_endpoints, busy_positions)
        as b (environment_id, endpoint_id, come_to)
    ), live_homes as materialized (
      select n.id from environments n where n.kind = 'LIVE'
    ), live_lanes as materialized (
      -- Live environments have few endpoints beside the sandboxes' many: each is asked, and no other.
      select w.* from live_homes h
      cross join lateral (
        select o.environment_id, o.id as endpoint_id, c.come_to from webhook_endpoints o
        cross join lateral (
          select coalesce(max(b.come_to), 0) as come_to from busy b
          where b.environment_id = o.environment_id and b.endpoint_id = o.id) as c
        where o.environment_id = h.id and (o.environment_id, o.id) > (after_live_environment, after_live_endpoint)
          and exists (select from webhook_deliveries d
            where d.environment_id = o.environment_id and d.endpoint_id = o.id and d.event_position > c.come_to
              and d.queued)
        offset 0) as w
      order by w.environment_id, w.endpoint_id limit 2000
    ), lanes as (
      select after_environment as environment_id, after_endpoint as endpoint_id, 0::bigint as come_to, 0 as place
      where sandboxes_at_most > 0
      union all
      select n.environment_id, n.endpoint_id, n.come_to, l.place + 1 from lanes l
      left join lateral (
        select b.* from busy b where (b.environment_id, b.endpoint_id) > (l.environment_id, l.endpoint_id)
        order by b.environment_id, b.endpoint_id limit 1) as b on true
      -- The next lane before the next busy one, or that one itself.
      cross join lateral (
        (select d.environment_id, d.endpoint_id, 0::bigint as come_to from webhook_deliveries d
          where d.queued and (d.environment_id, d.endpoint_id) > (l.environment_id, l.endpoint_id)
            and (d.environment_id, d.endpoint_id)
              < (coalesce(b.environment_id, the_end), coalesce(b.endpoint_id, the_end))
          order by d.environment_id, d.endpoint_id limit 1)
        union all
        select b.environment_id, b.endpoint_id, b.come_to where b.endpoint_id is not null
        limit 1) as n
      where l.place < 2000
    ), live as materialized (
      select p.version, 'LIVE' as kind, e.enabled, e.deleted_at
      from live_lanes l
      join webhook_endpoints e on e.environment_id = l.environment_id and e.id = l.endpoint_id
      cross join lateral (
        select d.ctid as version from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id and d.event_position > l.come_to
          and d.queued and d.claim_at <= moment
        order by d.event_position
        limit coalesce((rooms ->> l.endpoint_id::text)::integer, per_endpoint)
        for update skip locked) as p
      limit at_most
    ), others as materialized (
      select p.version, n.kind, e.enabled, e.deleted_at
      from lanes l
      join environments n on n.id = l.environment_id and n.kind <> 'LIVE'
      join webhook_endpoints e on e.environment_id = l.environment_id and e.id = l.endpoint_id
      cross join lateral (
        select d.ctid as version from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id and d.event_position > l.come_to
          and d.queued and d.claim_at <= moment
        order by d.event_position
        limit coalesce((rooms ->> l.endpoint_id::text)::integer, per_endpoint)
        for update skip locked) as p
      where l.place > 0
      limit greatest(least(sandboxes_at_most, at_most - (select count(*) from live)), 0)
    ), picked as (
      select * from live union all select * from others
    ), taken as (
      update webhook_deliveries d set
        claim_at = case when p.enabled then moment + make_interval(secs => lease_seconds) end,
        status = case when p.enabled then 'pending' when p.deleted_at is null then 'held' else 'cancelled' end
      from picked p
      -- A row that changed between being found and being locked is left for the next round.
      where d.ctid = p.version
      returning d.environment_id, p.kind, d.event_id, d.endpoint_id, d.resource_id, d.event_position, d.attempts,
        d.due_at, p.enabled
    ), placed as (
      -- The id of an endpoint is its environment's alone: two sandboxes may have the same.
      select t.*, row_number() over (
          partition by t.kind, t.environment_id, t.endpoint_id order by t.event_position) as place
      from taken t where t.enabled
    )
    select p.environment_id, p.endpoint_id, p.event_id, p.resource_id, p.event_position, p.attempts, v.event,
      v.created_at, nullif(p.due_at, v.created_at), v.resource_version, v.data::text, f.kind, f.url, f.sealed_secret,
      f.sealed_previous_secret, f.previous_secret_until, f.claimed_at
    from placed p
    left join lateral (
      select o.event, o.created_at, o.resource_version, o.data from events o
      where o.environment_id = p.environment_id and o.id = p.event_id and o.resource_id = p.resource_id
      limit 1) as v on true
    left join lateral (
      select p.kind, e.url, e.sealed_secret, e.sealed_previous_secret, e.previous_secret_until,
        clock_timestamp() as claimed_at
      from webhook_endpoints e
      where p.place = 1 and e.environment_id = p.environment_id and e.id = p.endpoint_id) as f on true
    -- Live goes first.
    order by p.kind, p.environment_id, p.endpoint_id, p.event_position;
end
$$;
alter function claim_webhook_deliveries(
  integer, integer, integer, integer, jsonb, uuid, uuid, uuid, uuid, uuid[], uuid[], bigint[]) owner to jara_lookup;
revoke execute on function claim_webhook_deliveries(
  integer, integer, integer, integer, jsonb, uuid, uuid, uuid, uuid, uuid[], uuid[], bigint[]) from public;
grant execute on function claim_webhook_deliveries(
  integer, integer, integer, integer, jsonb, uuid, uuid, uuid, uuid, uuid[], uuid[], bigint[]) to jara_app;

create or replace function record_webhook_arrivals(
  environment_ids uuid[], event_ids uuid[], endpoint_ids uuid[], resource_ids uuid[], moments timestamptz[],
  sent_moments timestamptz[], statuses integer[], durations_ms integer[], bodies text[])
  returns table (environment_id uuid, endpoint_id uuid, resource_id uuid, turned_away boolean)
  language plpgsql
  security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  shut_ids uuid[];
begin
  -- What is lost is sent again, under the same id.
  perform set_config('synchronous_commit', 'off', true);
  select array_agg(g.id) into shut_ids
  from (select distinct u.id from unnest(environment_ids) as u (id)) as g
  where not pg_try_advisory_xact_lock_shared(environment_gate(g.id));
  if shut_ids is not null then
    select array_agg(a.environment_id), array_agg(a.event_id), array_agg(a.endpoint_id), array_agg(a.resource_id),
      array_agg(a.at), array_agg(a.sent_at), array_agg(a.status), array_agg(a.duration_ms), array_agg(a.body)
    into environment_ids, event_ids, endpoint_ids, resource_ids, moments, sent_moments, statuses, durations_ms, bodies
    from unnest(environment_ids, event_ids, endpoint_ids, resource_ids, moments, sent_moments, statuses,
      durations_ms, bodies)
      as a (environment_id, event_id, endpoint_id, resource_id, at, sent_at, status, duration_ms, body)
    where a.environment_id <> all (shut_ids);
  end if;
  with recovered as materialized (
    select e.environment_id, e.id from (
      select distinct r.environment_id, r.id
      from unnest(environment_ids, endpoint_ids) as r (environment_id, id)) as w
    join webhook_endpoints e on e.environment_id = w.environment_id and e.id = w.id
    where e.failing_since is not null
    order by e.environment_id, e.id
    for no key update of e
  )
  update webhook_endpoints e set failing_since = null from recovered r
  where e.environment_id = r.environment_id and e.id = r.id;
  update webhook_deliveries d set status = 'delivered', attempts = d.attempts + 1, claim_at = null, waits = false,
    completed_at = a.at, arrival_sent_at = a.sent_at, arrival_status = a.status, arrival_ms = a.duration_ms,
    arrival_body = a.body
  from unnest(environment_ids, event_ids, endpoint_ids, moments, sent_moments, statuses, durations_ms, bodies)
    as a (environment_id, event_id, endpoint_id, at, sent_at, status, duration_ms, body)
  where d.environment_id = a.environment_id and d.event_id = a.event_id and d.endpoint_id = a.endpoint_id;
  return query
    select r.environment_id, r.endpoint_id, r.resource_id, false
    from release_webhook_deliveries(environment_ids, endpoint_ids, resource_ids) as r
    union all
    select c.id, null::uuid, null::uuid, true from unnest(shut_ids) as c (id);
end
$$;
