-- Payouts and disbursements as orders to a bank.
create or replace view orders_of_transfer with (security_invoker = true) as
  select t.environment_id, t.id, 'bank' as port, t.connection_id, t.session_id as order_id, t.reference, t.amount,
    case t.status when 'pending' then 'waiting' when 'processing' then 'sent' else 'ended' end as step,
    t.status = 'processing' as is_owed, t.completed_at is null and t.claim_at is null as is_idle, t.queries, t.sent_at,
    t.sent_at as since,
    case t.status when 'completed' then 'success' when 'failed' then 'failure' when 'reversed' then 'taken_back'
      else 'open' end as state,
    t.id as booked_as, jsonb_build_object('bank_code', t.bank_code, 'session_id', t.session_id) as detail
  from transfers t;
grant select on orders_of_transfer to jara_lookup;
