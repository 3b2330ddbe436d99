-- Where a merchant wants its events sent. A deleted endpoint keeps its row, without secrets: its log stays.
create table webhook_endpoints (
  environment_id uuid not null references environments (id),
  id uuid not null,
  url text not null check (length(url) between 1 and 2048),
  description text,
  -- '*' stands for every event.
  events text[] not null check (cardinality(events) > 0),
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing', 'deleted')),
  sealed_secret bytea,
  -- The secret before the last rotation signs beside the new one until then, in real time.
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  -- When, in the environment's time, the endpoint failed for the first time since it last answered well.
  failing_since timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (environment_id, id),
  check (enabled = (disabled_reason is null) and (deleted_at is null or not enabled))
);
call protect_tenant_table('webhook_endpoints');
grant select, insert, update on webhook_endpoints to jara_app;
grant select, update on webhook_endpoints to jara_lookup;

-- One event on its way to one endpoint. The row is also the queue: claim_at says from when, in real time, a worker may
-- take it up; null means that nobody needs to, because it is settled, waits its turn, or waits for the agenda.
-- No foreign keys: rows are only made from the event and the endpoint themselves, on the hot path of every event.
create table webhook_deliveries (
  environment_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  event_position bigint not null,
  resource_id uuid not null,
  -- held: the endpoint is disabled, kept for replay; cancelled: it was deleted.
  status text not null check (status in ('pending', 'delivered', 'failed', 'held', 'cancelled')),
  -- Tries since the delivery began, or began anew by a replay.
  attempts integer not null default 0 check (attempts >= 0),
  -- When the next try is due (or the last was), in the environment's time.
  due_at timestamptz not null,
  claim_at timestamptz,
  -- A column of its own for the index: a claim then changes nothing that an index knows, and stays on its page.
  queued boolean not null generated always as (claim_at is not null) stored,
  waits boolean not null default false, -- for an earlier event of the same resource to arrive or fail four times
  completed_at timestamptz,
  primary key (environment_id, event_id, endpoint_id),
  check (claim_at is null or (status = 'pending' and not waits))
) with (fillfactor = 70);
create index webhook_deliveries_queued on webhook_deliveries (environment_id, endpoint_id, event_position)
  where queued;
create index webhook_deliveries_open on webhook_deliveries (environment_id, endpoint_id, resource_id, event_position)
  where status = 'pending';
call protect_tenant_table('webhook_deliveries');
grant select, insert, update on webhook_deliveries to jara_app, jara_lookup;

-- Every try, also those before a replay.
create table webhook_attempts (
  environment_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  id bigint generated always as identity,
  -- In the environment's time; sent_at is the same moment in real time, as the receiver saw it.
  at timestamptz not null,
  sent_at timestamptz not null,
  -- The HTTP status and the first 2 KiB of the answer; no status when none came, and `error` says why.
  response_status integer,
  response_body text not null default '',
  error text,
  duration_ms integer not null check (duration_ms >= 0),
  primary key (environment_id, event_id, endpoint_id, id)
);
call protect_tenant_table('webhook_attempts');
grant select, insert on webhook_attempts to jara_app, jara_lookup;

-- Makes the deliveries of events in the statement that gives them their positions: an event that has a position has
-- its deliveries, exactly once, whatever is killed when. A test event goes to the endpoint it is about.
-- Locks: for each resource the last delivery that is still in the way, in the order of the key, so that it cannot get
-- out of the way unnoticed; who settles deliveries locks them in the same order.
create function fan_out_events() returns trigger
  language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  if not exists (
    select from (select distinct s.environment_id from sequenced s) as touched
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
  )
  insert into webhook_deliveries (environment_id, event_id, endpoint_id, event_position, resource_id, status, due_at,
    claim_at, waits)
  select j.environment_id, j.event_id, j.endpoint_id, j.list_position, j.resource_id,
    case when j.enabled then 'pending' else 'held' end, j.created_at,
    case when j.enabled and not j.waits then moment end, j.waits
  from judged j
  on conflict do nothing;
  return null;
end
$$;
create trigger fan_out after update on events
  referencing new table as sequenced for each statement execute function fan_out_events();
