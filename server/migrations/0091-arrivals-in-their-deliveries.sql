-- The try that arrived is written into its delivery: most deliveries have no other, and a row of its own with its own
-- place in an index cost a twentieth of all that a payout writes. Tries that failed have rows of their own as before.
alter table webhook_deliveries
  add column arrival_sent_at timestamptz,
  add column arrival_status integer,
  add column arrival_ms integer,
  add column arrival_body text;

-- What is sent again keeps what became of it before. Programs that do not know of these columns need not care.
create function keep_webhook_arrival() returns trigger language plpgsql as $$
begin
  insert into webhook_attempts (environment_id, event_id, endpoint_id, at, sent_at, response_status, duration_ms,
    response_body)
  values (old.environment_id, old.event_id, old.endpoint_id, old.completed_at, old.arrival_sent_at, old.arrival_status,
    old.arrival_ms, old.arrival_body);
  return null;
end
$$;
-- After the update: before it, every row would be locked first, which is written to the log as well.
create trigger keep_arrival after update on webhook_deliveries for each row
  when (old.status = 'delivered' and old.arrival_sent_at is not null
    and (new.status <> 'delivered' or new.arrival_sent_at is distinct from old.arrival_sent_at))
  execute function keep_webhook_arrival();

create view webhook_attempt_log with (security_invoker = true) as
  select a.environment_id, a.event_id, a.endpoint_id, a.at, a.sent_at, a.response_status, a.duration_ms,
    a.response_body, a.error
  from webhook_attempts a
  union all
  select d.environment_id, d.event_id, d.endpoint_id, d.completed_at, d.arrival_sent_at, d.arrival_status,
    d.arrival_ms, d.arrival_body, null
  from webhook_deliveries d where d.status = 'delivered' and d.arrival_sent_at is not null;
grant select on webhook_attempt_log to jara_app, jara_lookup;

create or replace function record_webhook_arrivals(environment_ids uuid[], event_ids uuid[], endpoint_ids uuid[],
  resource_ids uuid[], moments timestamptz[], sent_moments timestamptz[], statuses integer[], durations_ms integer[],
  bodies text[])
  returns table (environment_id uuid, endpoint_id uuid, resource_id uuid, turned_away boolean)
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  shut_ids uuid[];
begin
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

-- An event gets its place in the log once, so nothing was ever in the way of its deliveries; to look out for it cost a
-- second record in the write-ahead log for each.
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
  from ranked j;
  return null;
end
$$;

-- A row that finds room for its next version on its own page needs no lock in between, and writes down only what
-- changed.
alter table transfers set (fillfactor = 55);
alter table webhook_deliveries set (fillfactor = 55);
