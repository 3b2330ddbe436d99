-- Disbursements are not in a merchant's lists, and pages need not step over them.
drop index concurrently if exists transfers_by_final_payout;
create index concurrently transfers_by_final_payout on transfers (environment_id, status, id)
  where completed_at is not null and purpose = 'payout';
drop index concurrently if exists transfers_by_final_status;
