-- Bills whose end is counted.
create or replace view final_records_of_bills with (security_invoker = true) as
  select b.environment_id, b.status, b.created_at from bills b where b.completed_at is not null;
grant select on final_records_of_bills to jara_app;
