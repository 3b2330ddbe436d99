-- Orders of a connection, over all environments: those sent from one moment until another, and those that are named.
-- Each in the words of reconciliation: success, failure, taken_back, open; trial for what is charged and given back to
-- link a card, which is found by its id only. booked_as is what the ledger has booked it as.
create or replace function list_orders_of_transfers(
  wanted_connection uuid, sent_from timestamptz, sent_until timestamptz, order_ids text[], at_most integer)
  returns table (environment_id uuid, id uuid, booked_as uuid, order_id text, reference text, amount bigint,
    state text, sent_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select t.environment_id, t.id, t.id, t.session_id, t.reference, t.amount,
      case t.status when 'completed' then 'success' when 'failed' then 'failure' when 'reversed' then 'taken_back'
        else 'open' end,
      t.sent_at
    from transfers t
    where t.connection_id = wanted_connection
      and (t.sent_at >= sent_from and t.sent_at < sent_until or t.session_id = any (order_ids))
    limit at_most;
  end;
alter function list_orders_of_transfers owner to jara_lookup;
revoke execute on function list_orders_of_transfers from public;
grant execute on function list_orders_of_transfers to jara_app;
