-- Card refunds of a connection, in the words of reconciliation.
create or replace function list_orders_of_card_refunds(
  wanted_connection uuid, sent_from timestamptz, sent_until timestamptz, order_ids text[], at_most integer)
  returns table (environment_id uuid, id uuid, booked_as uuid, order_id text, reference text, amount bigint,
    state text, sent_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.environment_id, r.id, r.id, r.id::text, r.reference, r.amount,
      case r.status when 'successful' then 'success' when 'failed' then 'failure' else 'open' end,
      coalesce(r.sent_at, r.created_at)
    from card_refunds r
    join card_charges c on c.environment_id = r.environment_id and c.id = r.charge_id
    where c.connection_id = wanted_connection
      and (r.created_at >= sent_from and r.created_at < sent_until
        or r.id = any (select o::uuid from unnest(order_ids) as o
          where o ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'))
    union all
    select l.environment_id, l.id, null, 'link-' || l.attempt_id, l.id::text, null, 'trial', l.updated_at
    from card_links l
    where l.connection_id = wanted_connection
      and l.attempt_id = any (select substr(o, 6)::uuid from unnest(order_ids) as o
      where o ~ '^link-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
    limit at_most;
  end;
alter function list_orders_of_card_refunds owner to jara_lookup;
revoke execute on function list_orders_of_card_refunds from public;
grant execute on function list_orders_of_card_refunds to jara_app;
