-- Payouts and disbursements that wait for a worker, or that one holds until then.
create or replace view queue_of_transfers with (security_invoker = true) as
  select t.environment_id, t.claim_at as since, t.claim_at as booked_for from transfers t where t.claim_at is not null;
grant select on queue_of_transfers to jara_lookup;
