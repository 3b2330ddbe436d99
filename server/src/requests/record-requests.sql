-- One statement for the requests of all environments that a process served in a moment.
create or replace function record_requests(answered json) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- One at a time: a reader that has seen a position has seen everything before it.
  perform pg_advisory_xact_lock(hashtext('jara.record_requests'));
  insert into api_requests (environment_id, at, clock_at, request_id, method, route, path, status, code, duration_ms,
    key_id, idempotency_key, user_agent, warning, replayed, record_id, request_body, response_body)
  select r."environmentId", r.at,
    time_on(c, r.at), r."requestId", r.method, r.route, r.path, r.status, r.code, r."durationMs",
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
alter function record_requests owner to jara_lookup;
revoke execute on function record_requests from public;
grant execute on function record_requests to jara_app;
