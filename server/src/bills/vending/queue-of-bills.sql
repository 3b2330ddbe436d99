-- Bills that wait for a worker, or that one holds until then.
create or replace view queue_of_bills with (security_invoker = true) as
  select b.environment_id, b.claim_at as since, b.claim_at as booked_for from bills b where b.claim_at is not null;
grant select on queue_of_bills to jara_lookup;
