-- Bills as orders to a biller.
create or replace view orders_of_bill with (security_invoker = true) as
  select b.environment_id, b.id, 'biller' as port, b.connection_id, b.request_id as order_id, b.reference, b.amount,
    case b.status when 'pending' then 'waiting' when 'processing' then 'sent' else 'ended' end as step,
    b.status = 'processing' as is_owed, b.completed_at is null and b.claim_at is null as is_idle, b.queries, b.sent_at,
    b.sent_at as since,
    case b.status when 'successful' then 'success' when 'failed' then 'failure' when 'reversed' then 'taken_back'
      else 'open' end as state,
    b.id as booked_as,
    jsonb_build_object('category', b.category, 'provider', b.provider, 'catalogue_version', b.catalogue_version)
      as detail
  from bills b;
grant select on orders_of_bill to jara_lookup;
