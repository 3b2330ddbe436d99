-- Payments without an outcome also tell with which provider they are, and by what it knows them.

drop function list_unknown_transfers(integer, integer);
create function list_unknown_transfers(older_than_seconds integer, at_most integer)
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
alter function list_unknown_transfers(integer, integer) owner to jara_lookup;
revoke execute on function list_unknown_transfers(integer, integer) from public;
grant execute on function list_unknown_transfers(integer, integer) to jara_app;

drop function list_unknown_bills(integer, integer);
create function list_unknown_bills(older_than_seconds integer, at_most integer)
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
alter function list_unknown_bills(integer, integer) owner to jara_lookup;
revoke execute on function list_unknown_bills(integer, integer) from public;
grant execute on function list_unknown_bills(integer, integer) to jara_app;

drop function list_unknown_charges(integer, integer);
create function list_unknown_charges(older_than_seconds integer, at_most integer)
  returns table (environment_id uuid, environment_kind text, id uuid, reference text, amount bigint,
    loan_id uuid,
    queries integer, sent_at timestamptz, age_seconds double precision, connection_id uuid, rail_order_id text,
    provider_reference text, network_session_id text, rail_fee bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select h.environment_id, e.kind, h.id, coalesce(h.reference, h.id::text), h.amount, h.loan_id,
      h.queries, h.created_at, n.age, h.connection_id, h.id::text, r.provider_reference, r.network_session_id, r.fee
    from card_charges h
    join environments e on e.id = h.environment_id
    left join environment_clocks c on c.environment_id = h.environment_id
    cross join lateral (
      select extract(epoch from
        case when c.mode = 'frozen' then c.frozen_at
          else clock_timestamp() + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end
        - h.created_at)::double precision as age) n
    left join rail_traces r on r.environment_id = h.environment_id and r.connection_id = h.connection_id
      and r.port = 'card' and r.order_id = h.id::text
    where h.status = 'processing' and n.age >= older_than_seconds
    order by n.age desc
    limit at_most;
  end;
alter function list_unknown_charges(integer, integer) owner to jara_lookup;
revoke execute on function list_unknown_charges(integer, integer) from public;
grant execute on function list_unknown_charges(integer, integer) to jara_app;

drop function list_unknown_card_refunds(integer, integer);
create function list_unknown_card_refunds(older_than_seconds integer, at_most integer)
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
alter function list_unknown_card_refunds(integer, integer) owner to jara_lookup;
revoke execute on function list_unknown_card_refunds(integer, integer) from public;
grant execute on function list_unknown_card_refunds(integer, integer) to jara_app;
