-- Sub-accounts as orders to a provider of account numbers.
create or replace view orders_of_virtual_account with (security_invoker = true) as
  select v.environment_id, v.id, 'inbound' as port, v.connection_id, v.id::text as order_id,
    coalesce(v.external_id, v.id::text) as reference, null::bigint as amount,
    case v.status when 'pending' then 'waiting' when 'processing' then 'sent' else 'ended' end as step,
    v.status = 'processing' as is_owed, v.completed_at is null as is_idle, v.queries, v.sent_at,
    null::timestamptz as since,
    case v.status when 'opened' then 'success' when 'refused' then 'failure' else 'open' end as state,
    null::uuid as booked_as, null::jsonb as detail
  from virtual_accounts v;
grant select on orders_of_virtual_account to jara_lookup;
