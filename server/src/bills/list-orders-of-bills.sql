-- Bills of a connection, in the words of reconciliation.
create or replace function list_orders_of_bills(
  wanted_connection uuid, sent_from timestamptz, sent_until timestamptz, order_ids text[], at_most integer)
  returns table (environment_id uuid, id uuid, booked_as uuid, order_id text, reference text, amount bigint,
    state text, sent_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select b.environment_id, b.id, b.id, b.request_id, b.reference, b.amount,
      case b.status when 'successful' then 'success' when 'failed' then 'failure' when 'reversed' then 'taken_back'
        else 'open' end,
      b.sent_at
    from bills b
    where b.connection_id = wanted_connection
      and (b.sent_at >= sent_from and b.sent_at < sent_until or b.request_id = any (order_ids))
    limit at_most;
  end;
alter function list_orders_of_bills owner to jara_lookup;
revoke execute on function list_orders_of_bills from public;
grant execute on function list_orders_of_bills to jara_app;
