-- Takes up what is due, at most so many of an endpoint, so that one with a long queue leaves room for the others.
-- Endpoints of live environments come first; they are visited in the order of their keys from the given one on, jumping
-- from one to the next in the index: the cost follows the number of endpoints with something to send, not the length of
-- their queues. A claim is a lease, and its commit waits for no disk: what is lost with PostgreSQL is sent again under
-- the same id. What was made while its endpoint was disabled is put aside.
create or replace function claim_due_deliveries(
  at_most integer, sandboxes_at_most integer, per_endpoint integer, lease_seconds integer, rooms jsonb,
  after_live_environment uuid, after_live_endpoint uuid, after_environment uuid, after_endpoint uuid)
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
begin
  -- A claim that is lost is made again, and its messages are sent again under their ids.
  perform set_config('synchronous_commit', 'off', true);
  return query
    with recursive live_lanes as materialized (
      -- Live environments have few endpoints beside the sandboxes' many: each is asked, and no other.
      select w.* from environments h
      cross join lateral (
        select o.environment_id, o.id as endpoint_id from webhook_endpoints o
        where o.environment_id = h.id and (o.environment_id, o.id) > (after_live_environment, after_live_endpoint)
          and exists (select from webhook_deliveries d
            where d.environment_id = o.environment_id and d.endpoint_id = o.id and d.queued)
        offset 0) as w
      where h.kind = 'LIVE'
      order by w.environment_id, w.endpoint_id limit 2000
    ), lanes as (
      select after_environment as environment_id, after_endpoint as endpoint_id, 0 as place
      where sandboxes_at_most > 0
      union all
      select n.environment_id, n.endpoint_id, l.place + 1 from lanes l
      cross join lateral (
        select d.environment_id, d.endpoint_id from webhook_deliveries d
        where d.queued and (d.environment_id, d.endpoint_id) > (l.environment_id, l.endpoint_id)
        order by d.environment_id, d.endpoint_id limit 1) as n
      where l.place < 2000
    ), live as materialized (
      select p.version, 'LIVE' as kind, e.enabled, e.deleted_at
      from live_lanes l
      join webhook_endpoints e on e.environment_id = l.environment_id and e.id = l.endpoint_id
      cross join lateral (
        select d.ctid as version from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id and d.queued
          and d.claim_at <= moment
        order by d.event_position
        limit coalesce((rooms ->> (l.environment_id || '/' || l.endpoint_id))::integer, per_endpoint)
        for update skip locked) as p
      limit at_most
    ), others as materialized (
      select p.version, n.kind, e.enabled, e.deleted_at
      from lanes l
      join environments n on n.id = l.environment_id and n.kind <> 'LIVE'
      join webhook_endpoints e on e.environment_id = l.environment_id and e.id = l.endpoint_id
      cross join lateral (
        select d.ctid as version from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id and d.queued
          and d.claim_at <= moment
        order by d.event_position
        limit coalesce((rooms ->> (l.environment_id || '/' || l.endpoint_id))::integer, per_endpoint)
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
alter function claim_due_deliveries owner to jara_lookup;
revoke execute on function claim_due_deliveries from public;
grant execute on function claim_due_deliveries to jara_app;
