create or replace view webhook_attempt_log with (security_invoker = true) as
  select a.environment_id, a.event_id, a.endpoint_id, a.at, a.sent_at, a.response_status, a.duration_ms,
    a.response_body, a.error
  from webhook_attempts a
  union all
  select d.environment_id, d.event_id, d.endpoint_id, d.completed_at, d.arrival_sent_at, d.arrival_status,
    d.arrival_ms, d.arrival_body, null
  from webhook_deliveries d where d.status = 'delivered' and d.arrival_sent_at is not null;
grant select on webhook_attempt_log to jara_app, jara_lookup;
