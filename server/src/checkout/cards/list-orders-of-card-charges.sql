-- Card charges of a connection, in the words of reconciliation. The first charge of a card that is linked on the
-- processor's page is nobody's repayment: it goes back at once.
create or replace function list_orders_of_card_charges(
  wanted_connection uuid, sent_from timestamptz, sent_until timestamptz, order_ids text[], at_most integer)
  returns table (environment_id uuid, id uuid, booked_as uuid, order_id text, reference text, amount bigint,
    state text, sent_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id, c.id, c.repayment_id, c.id::text, coalesce(c.reference, c.id::text), c.amount,
      case when r.reversed_at is not null then 'taken_back' when c.status = 'successful' then 'success'
        when c.status = 'failed' then 'failure' else 'open' end,
      c.created_at
    from card_charges c
    left join loan_repayments r on r.environment_id = c.environment_id and r.id = c.repayment_id
    where c.connection_id = wanted_connection
      and (c.created_at >= sent_from and c.created_at < sent_until
        or c.id = any (select o::uuid from unnest(order_ids) as o
          where o ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'))
    union all
    select l.environment_id, l.id, null, l.attempt_id::text, l.id::text, null, 'trial', l.updated_at
    from card_links l
    where l.connection_id = wanted_connection and l.attempt_id = any (select o::uuid from unnest(order_ids) as o
      where o ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
    limit at_most;
  end;
alter function list_orders_of_card_charges owner to jara_lookup;
revoke execute on function list_orders_of_card_charges from public;
grant execute on function list_orders_of_card_charges to jara_app;
