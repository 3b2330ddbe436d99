-- Webhooks that wait for a worker, or that one holds until then.
create or replace view queue_of_deliveries with (security_invoker = true) as
  select d.environment_id, d.claim_at as since, d.claim_at as booked_for from webhook_deliveries d where d.queued;
grant select on queue_of_deliveries to jara_lookup;
