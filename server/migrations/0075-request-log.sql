-- Requests as they happen, for the people who send them: not a record of money, and no part of anybody's transaction.
-- Unlogged: a payout's acceptance pays no WAL for it, and a crash of PostgreSQL empties it. It is kept for days only.
-- The sequence is logged all the same: a cursor from before a crash must never be ahead of what comes after it.
create sequence api_request_positions;

create unlogged table api_requests (
  environment_id uuid not null,
  -- Rises in the order of commits: a writer holds the lock of record_requests.
  position bigint default nextval('api_request_positions') not null,
  -- When it came, in real time.
  at timestamptz not null,
  -- The same moment by the environment's clock, for traces.
  clock_at timestamptz not null,
  request_id text not null,
  method text not null,
  -- The path as the reference writes it: /transfers/{id}.
  route text not null,
  path text not null,
  status integer not null,
  code text,
  duration_ms integer not null,
  key_id uuid not null,
  idempotency_key text,
  user_agent text,
  -- What the reply's Jara-Warning says.
  warning text,
  replayed boolean not null,
  -- What a write made or changed.
  record_id uuid,
  request_body text,
  response_body text,
  primary key (environment_id, position)
);
create index api_requests_by_request_id on api_requests (request_id);
create index api_requests_by_record on api_requests (environment_id, record_id) where record_id is not null;
call protect_tenant_table('api_requests');
grant select on api_requests to jara_app;
grant insert on api_requests to jara_lookup;
grant usage on sequence api_request_positions to jara_lookup;

-- One statement for the requests of all environments that a process served in a moment.
create function record_requests(answered json) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- One at a time: a reader that has seen a position has seen everything before it.
  perform pg_advisory_xact_lock(hashtext('jara.record_requests'));
  insert into api_requests (environment_id, at, clock_at, request_id, method, route, path, status, code, duration_ms,
    key_id, idempotency_key, user_agent, warning, replayed, record_id, request_body, response_body)
  select r."environmentId", r.at,
    case c.mode when 'frozen' then c.frozen_at else r.at + coalesce(c.offset_ms, 0) * interval '1 millisecond' end,
    r."requestId", r.method, r.route, r.path, r.status, r.code, r."durationMs",
    r."keyId", r."idempotencyKey", r."userAgent", r.warning, r.replayed, r."recordId", r."requestBody", r."responseBody"
  from rows from (json_to_recordset(answered) as ("environmentId" uuid, at timestamptz, "requestId" text, method text,
    route text, path text, status integer, code text, "durationMs" integer, "keyId" uuid, "idempotencyKey" text,
    "userAgent" text, warning text, replayed boolean, "recordId" uuid, "requestBody" text, "responseBody" text))
    with ordinality as r ("environmentId", at, "requestId", method, route, path, status, code, "durationMs", "keyId",
      "idempotencyKey", "userAgent", warning, replayed, "recordId", "requestBody", "responseBody", place)
  left join environment_clocks c on c.environment_id = r."environmentId"
  order by r.place;
end
$$;
alter function record_requests(json) owner to jara_lookup;
revoke execute on function record_requests(json) from public;
grant execute on function record_requests(json) to jara_app;

create function read_request_positions(wanted uuid[]) returns table (environment_id uuid, "position" bigint)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select e.id, (select max(r.position) from api_requests r where r.environment_id = e.id)
  from unnest(wanted) as e (id);
end;
alter function read_request_positions(uuid[]) owner to jara_lookup;
revoke execute on function read_request_positions(uuid[]) from public;
grant execute on function read_request_positions(uuid[]) to jara_app;

-- Takes the oldest of every environment away, as far as they are too old or too many, in steps: the caller comes back.
create function prune_requests(before timestamptz, most integer, at_once integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  removed bigint;
begin
  with surplus as (
    select e.id, coalesce((
      select r.position from api_requests r where r.environment_id = e.id
      order by r.position desc offset most limit 1), 0) as last
    from environments e
  ), old as (
    select r.environment_id, r.position from surplus s cross join lateral (
      select o.environment_id, o.position, o.at from api_requests o where o.environment_id = s.id
      order by o.position limit at_once) r
    where r.at < before or r.position <= s.last
    limit at_once
  )
  delete from api_requests r using old o where r.environment_id = o.environment_id and r.position = o.position;
  get diagnostics removed = row_count;
  return removed;
end
$$;
alter function prune_requests(timestamptz, integer, integer) owner to jara_lookup;
revoke execute on function prune_requests(timestamptz, integer, integer) from public;
grant execute on function prune_requests(timestamptz, integer, integer) to jara_app;

create function find_request_environments(wanted text) returns table (environment_id uuid)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select distinct r.environment_id from api_requests r where r.request_id = wanted and in_operator_scope();
end;
alter function find_request_environments(text) owner to jara_lookup;
revoke execute on function find_request_environments(text) from public;
grant execute on function find_request_environments(text) to jara_app;
