-- Bills whose outcome the biller owes us, over all environments, longest first.
create or replace function list_unknown_bills(older_than_seconds integer, at_most integer)
  returns table (environment_id uuid, environment_kind text, id uuid, reference text, amount bigint,
    category text, provider text, catalogue_version integer,
    queries integer, sent_at timestamptz, age_seconds double precision, connection_id uuid, rail_order_id text,
    provider_reference text, network_session_id text, rail_fee bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select b.environment_id, e.kind, b.id, b.reference, b.amount, b.category, b.provider,
      b.catalogue_version,
      b.queries, b.sent_at, n.age, b.connection_id, b.request_id, r.provider_reference, r.network_session_id, r.fee
    from bills b
    join environments e on e.id = b.environment_id
    left join environment_clocks c on c.environment_id = b.environment_id
    cross join lateral (
      select extract(epoch from
        case when c.mode = 'frozen' then c.frozen_at
          else clock_timestamp() + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end
        - b.sent_at)::double precision as age) n
    left join rail_traces r on r.environment_id = b.environment_id and r.connection_id = b.connection_id
      and r.port = 'biller' and r.order_id = b.request_id
    where b.status = 'processing' and n.age >= older_than_seconds
    order by n.age desc
    limit at_most;
  end;
alter function list_unknown_bills owner to jara_lookup;
revoke execute on function list_unknown_bills from public;
grant execute on function list_unknown_bills to jara_app;
