-- Makes the deliveries of events when they get their position, be it as they are written or later: an event that has a
-- position has its deliveries, exactly once, whatever is killed when. A test event goes to the endpoint it is about.
-- Endpoints and deliveries ahead are looked up row by row, by their keys, so that a thousand endpoints cost a new event
-- no more than those that want it.
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
begin
  if not exists (
    select from (select distinct s.environment_id from sequenced s where s.list_position is not null) as touched
    cross join lateral (
      select from webhook_endpoints e where e.environment_id = touched.environment_id and e.deleted_at is null
      limit 1) as e) then
    return null;
  end if;
  with wanted as materialized (
    select s.environment_id, s.id as event_id, e.id as endpoint_id, s.list_position, s.resource_id, s.created_at,
      e.enabled, row_number() over (
        partition by s.environment_id, e.id, s.resource_id order by s.list_position) as place
    from sequenced s
    -- Without the offset a plan may begin with the endpoints of everybody, and hold all events against each.
    cross join lateral (
      select o.id, o.enabled from webhook_endpoints o
      where o.environment_id = s.environment_id and o.deleted_at is null
        and case s.event when 'webhook.test' then o.id = s.resource_id
          else s.event = any (o.events) or '*' = any (o.events) end
      offset 0) as e
    where s.list_position is not null
  ), found as materialized (
    select w.*, last.event_id as ahead_id, last.event_position as ahead_position from wanted w
    left join lateral (
      select o.event_id, o.event_position from webhook_deliveries o
      where w.enabled and w.place = 1 and o.environment_id = w.environment_id and o.endpoint_id = w.endpoint_id
        and o.resource_id = w.resource_id and o.status = 'pending' and o.attempts < 4
      order by o.event_position desc limit 1) as last on true
    order by w.environment_id, last.event_id, w.endpoint_id
  ), judged as materialized (
    -- All of its keys are named: whichever index is taken leads to it, and not to all that wait.
    select f.*, f.enabled and (f.place > 1 or d.is_ahead is not null) as waits from found f
    left join lateral (
      select true as is_ahead from webhook_deliveries o
      where o.environment_id = f.environment_id and o.event_id = f.ahead_id and o.endpoint_id = f.endpoint_id
        and o.resource_id = f.resource_id and o.event_position = f.ahead_position
        and o.status = 'pending' and o.attempts < 4
      for share) as d on true
  )
  insert into webhook_deliveries (environment_id, event_id, endpoint_id, event_position, resource_id, status, due_at,
    claim_at, waits)
  select j.environment_id, j.event_id, j.endpoint_id, j.list_position, j.resource_id,
    case when j.enabled then 'pending' else 'held' end, j.created_at,
    case when j.enabled and not j.waits then moment end, j.waits
  from judged j;
  return null;
end
$$;
create or replace trigger fan_out after update on events
  referencing new table as sequenced for each statement execute function fan_out_events();
create or replace trigger fan_out_written after insert on events
  referencing new table as sequenced for each statement execute function fan_out_events();
