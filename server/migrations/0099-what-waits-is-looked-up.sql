-- Whether something is ahead of a new delivery is looked up by its keys. Before, each new delivery could be held
-- against all that wait in its environment: 57 milliseconds of a batch where a few hundred waited.
create or replace function fan_out_events()
  returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_bitmapscan = off as $$
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
  ), last as materialized (
    select last.* from wanted w
    cross join lateral (
      select o.environment_id, o.event_id, o.endpoint_id, o.resource_id, o.event_position from webhook_deliveries o
      where o.environment_id = w.environment_id and o.endpoint_id = w.endpoint_id
        and o.resource_id = w.resource_id and o.status = 'pending' and o.attempts < 4
      order by o.event_position desc limit 1) as last
    where w.enabled and w.place = 1
    order by last.environment_id, last.event_id, last.endpoint_id
  ), ahead as materialized (
    -- All of its keys are named: whichever index is taken leads to it, and not to all that wait.
    select d.environment_id, d.endpoint_id, d.resource_id from last l
    cross join lateral (
      select o.environment_id, o.endpoint_id, o.resource_id from webhook_deliveries o
      where o.environment_id = l.environment_id and o.event_id = l.event_id and o.endpoint_id = l.endpoint_id
        and o.resource_id = l.resource_id and o.event_position = l.event_position
        and o.status = 'pending' and o.attempts < 4
      for share) as d
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
  from ranked j;
  return null;
end
$$;
