-- Payouts whose end is counted: a disbursement is the lender's and in no merchant's list.
create or replace view final_records_of_transfers with (security_invoker = true) as
  select t.environment_id, t.status, t.created_at
  from transfers t where t.completed_at is not null and t.purpose = 'payout';
grant select on final_records_of_transfers to jara_app;
