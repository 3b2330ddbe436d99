-- Addresses of plans as orders to the gateway that carries them. Each is the message of one loan.
create or replace view orders_of_plan_link with (security_invoker = true) as
  select m.environment_id, m.loan_id as id, 'message' as port, null::uuid as connection_id,
    m.message_id::text as order_id, m.loan_id::text as reference, null::bigint as amount,
    case m.status when 'waiting' then 'waiting' else 'ended' end as step, false as is_owed,
    m.status = 'waiting' as is_idle, m.tries as queries, m.tried_at as sent_at, null::timestamptz as since,
    'open' as state, null::uuid as booked_as, null::jsonb as detail
  from plan_link_messages m;
grant select on orders_of_plan_link to jara_lookup;
