-- Payouts whose outcome the rail owes us, over all environments, longest first.
create or replace function list_unknown_transfers(older_than_seconds integer, at_most integer)
  returns table (environment_id uuid, environment_kind text, id uuid, reference text, amount bigint,
    bank_code text, session_id text,
    queries integer, sent_at timestamptz, age_seconds double precision, connection_id uuid, rail_order_id text,
    provider_reference text, network_session_id text, rail_fee bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select t.environment_id, e.kind, t.id, t.reference, t.amount, t.bank_code, t.session_id,
      t.queries, t.sent_at, n.age, t.connection_id, t.session_id, r.provider_reference, r.network_session_id, r.fee
    from transfers t
    join environments e on e.id = t.environment_id
    left join environment_clocks c on c.environment_id = t.environment_id
    cross join lateral (
      select extract(epoch from
        case when c.mode = 'frozen' then c.frozen_at
          else clock_timestamp() + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end
        - t.sent_at)::double precision as age) n
    left join rail_traces r on r.environment_id = t.environment_id and r.connection_id = t.connection_id
      and r.port = 'bank' and r.order_id = t.session_id
    where t.status = 'processing' and n.age >= older_than_seconds
    order by n.age desc
    limit at_most;
  end;
alter function list_unknown_transfers owner to jara_lookup;
revoke execute on function list_unknown_transfers from public;
grant execute on function list_unknown_transfers to jara_app;
