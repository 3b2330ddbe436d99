-- Refunds whose outcome the card network owes us, over all environments, longest first.
create or replace function list_unknown_card_refunds(older_than_seconds integer, at_most integer)
  returns table (environment_id uuid, environment_kind text, id uuid, reference text, amount bigint,
    loan_id uuid,
    queries integer, sent_at timestamptz, age_seconds double precision, connection_id uuid, rail_order_id text,
    provider_reference text, network_session_id text, rail_fee bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select f.environment_id, e.kind, f.id, f.reference, f.amount, f.loan_id,
      f.queries, f.created_at, n.age, h.connection_id, f.id::text, r.provider_reference, r.network_session_id, r.fee
    from card_refunds f
    join environments e on e.id = f.environment_id
    join card_charges h on h.environment_id = f.environment_id and h.id = f.charge_id
    left join environment_clocks c on c.environment_id = f.environment_id
    cross join lateral (
      select extract(epoch from
        case when c.mode = 'frozen' then c.frozen_at
          else clock_timestamp() + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end
        - f.created_at)::double precision as age) n
    left join rail_traces r on r.environment_id = f.environment_id and r.connection_id = h.connection_id
      and r.port = 'card' and r.order_id = f.id::text
    where f.status = 'processing' and n.age >= older_than_seconds
    order by n.age desc
    limit at_most;
  end;
alter function list_unknown_card_refunds owner to jara_lookup;
revoke execute on function list_unknown_card_refunds from public;
grant execute on function list_unknown_card_refunds to jara_app;
