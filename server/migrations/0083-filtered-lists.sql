-- A merchant narrows a list of payouts down by bank or by amount. A payout enters these indexes once, when it has its
-- outcome; what is still open is few, and found through the worker's own indexes.
create index transfers_by_final_bank on transfers (environment_id, bank_code, id)
  where completed_at is not null and purpose = 'payout';
create index transfers_by_final_amount on transfers (environment_id, amount, id)
  where completed_at is not null and purpose = 'payout';

-- Checkout sessions are listed by status or customer, newest first.
create index checkout_sessions_by_status on checkout_sessions (environment_id, status, id);
create index checkout_sessions_by_customer on checkout_sessions (environment_id, customer_id, id);
