-- Codes as orders to the gateway that carries them.
create or replace view orders_of_code with (security_invoker = true) as
  select o.environment_id, o.id, 'message' as port, null::uuid as connection_id, o.message_id::text as order_id,
    o.id::text as reference, null::bigint as amount,
    case o.message_status when 'waiting' then 'waiting' else 'ended' end as step, false as is_owed,
    o.message_status = 'waiting' as is_idle, o.message_tries as queries, o.sent_at, null::timestamptz as since,
    'open' as state, null::uuid as booked_as, null::jsonb as detail
  from consent_codes o;
grant select on orders_of_code to jara_lookup;
