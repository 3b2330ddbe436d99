-- What environments have booked, the longest due first.
create or replace view queue_of_agenda with (security_invoker = true) as
  select a.environment_id, a.wake_at as since, a.booked_at as booked_for from agenda a where a.wake_at is not null
  order by a.wake_at;
grant select on queue_of_agenda to jara_lookup;
