-- A batch that numbers its own events writes the deliveries that its own process has room for as claimed: they go out
-- with the commit, and nobody has to look for them, claim them and commit that. Should the process end before, the
-- claim runs out as any other does.

create or replace function fan_out_events() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
  -- What waited before and is numbered on this occasion takes its turn in the queue.
  is_own constant boolean := tg_op = 'INSERT';
  rooms constant jsonb := case when is_own then nullif(current_setting('jara.webhook_rooms', true), '') end;
  claimed_until constant timestamptz :=
    case when is_own then nullif(current_setting('jara.webhooks_claimed_until', true), '') end;
begin
  if not exists (
    select from (select distinct s.environment_id from sequenced s where s.list_position is not null) as touched
    join webhook_endpoints e on e.environment_id = touched.environment_id and e.deleted_at is null) then
    return null;
  end if;
  with wanted as materialized (
    select s.environment_id, s.id as event_id, e.id as endpoint_id, s.list_position, s.resource_id, s.created_at,
      e.enabled, row_number() over (
        partition by s.environment_id, e.id, s.resource_id order by s.list_position) as place
    from sequenced s
    join webhook_endpoints e on e.environment_id = s.environment_id and e.deleted_at is null
      and case s.event when 'webhook.test' then e.id = s.resource_id
        else s.event = any (e.events) or '*' = any (e.events) end
    where s.list_position is not null
  ), ahead as materialized (
    select d.environment_id, d.endpoint_id, d.resource_id from webhook_deliveries d
    join (
      select last.environment_id, last.event_id, last.endpoint_id from wanted w
      cross join lateral (
        select o.environment_id, o.event_id, o.endpoint_id from webhook_deliveries o
        where o.environment_id = w.environment_id and o.endpoint_id = w.endpoint_id
          and o.resource_id = w.resource_id and o.status = 'pending' and o.attempts < 4
        order by o.event_position desc limit 1) as last
      where w.enabled and w.place = 1
    ) as l on l.environment_id = d.environment_id and l.event_id = d.event_id and l.endpoint_id = d.endpoint_id
    where d.status = 'pending' and d.attempts < 4
    order by d.environment_id, d.event_id, d.endpoint_id
    for share of d
  ), judged as (
    select w.*, w.enabled and (w.place > 1 or a.environment_id is not null) as waits from wanted w
    left join ahead a on a.environment_id = w.environment_id and a.endpoint_id = w.endpoint_id
      and a.resource_id = w.resource_id
  ), ranked as (
    select j.*, row_number() over (
        partition by j.environment_id, j.endpoint_id, j.waits order by j.list_position)
      <= coalesce((rooms ->> j.endpoint_id::text)::integer, 0) as has_room
    from judged j
  )
  insert into webhook_deliveries (environment_id, event_id, endpoint_id, event_position, resource_id, status, due_at,
    claim_at, waits)
  select j.environment_id, j.event_id, j.endpoint_id, j.list_position, j.resource_id,
    case when j.enabled then 'pending' else 'held' end, j.created_at,
    case when j.enabled and not j.waits then case when j.has_room then claimed_until else moment end end, j.waits
  from ranked j
  on conflict do nothing;
  return null;
end
$$;

-- As without the last two, and claims the deliveries for which `rooms` has room, by endpoint. Returns these.
create function record_batch_events(moment timestamptz, ids uuid[], names text[], resource_types text[],
    resource_ids uuid[], versions integer[], bodies text[], rooms jsonb, lease_seconds integer)
  returns table (event_id uuid, endpoint_id uuid, url text, sealed_secret bytea, sealed_previous_secret bytea,
    previous_secret_until timestamptz, claimed_at timestamptz)
  language plpgsql set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  own constant uuid := current_environment();
  now constant timestamptz := clock_timestamp();
  claimed_until constant timestamptz := now + make_interval(secs => lease_seconds);
begin
  perform set_config('jara.webhook_rooms', rooms::text, true),
    set_config('jara.webhooks_claimed_until', claimed_until::text, true);
  perform record_batch_events(moment, ids, names, resource_types, resource_ids, versions, bodies);
  perform set_config('jara.webhook_rooms', '', true), set_config('jara.webhooks_claimed_until', '', true);
  return query
    select d.event_id, d.endpoint_id, e.url, e.sealed_secret, e.sealed_previous_secret, e.previous_secret_until, now
    from unnest(ids) as o (id)
    join webhook_deliveries d on d.environment_id = own and d.event_id = o.id and d.claim_at = claimed_until
    join webhook_endpoints e on e.environment_id = own and e.id = d.endpoint_id;
end
$$;
revoke execute on function record_batch_events(timestamptz, uuid[], text[], text[], uuid[], integer[], text[], jsonb,
  integer) from public;
grant execute on function record_batch_events(timestamptz, uuid[], text[], text[], uuid[], integer[], text[], jsonb,
  integer) to jara_app;
