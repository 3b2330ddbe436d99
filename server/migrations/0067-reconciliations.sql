-- Our orders, our ledger and a provider's own list, held against each other for a day of a connection. The operator's:
-- tenants see nothing of it. A day that is compared again is a new version.
create table reconciliations (
  id uuid primary key,
  connection_id uuid not null references rail_connections (id),
  -- In Lagos, by the provider's time of creation.
  date date not null,
  version integer not null check (version > 0),
  state text not null check (state in ('running', 'clean', 'exceptions', 'failed')),
  requested_by text not null,
  -- Orders whose outcome was still open: their day is compared again.
  waiting integer not null default 0,
  counts jsonb,
  totals jsonb,
  failure_code text,
  failure_message text,
  -- How often a worker took it up, and from when another may.
  tries integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz,
  unique (connection_id, date, version),
  check ((state = 'running') = (completed_at is null)),
  check ((state = 'failed') = (failure_code is not null)),
  check ((state in ('clean', 'exceptions')) = (counts is not null and totals is not null))
);
-- Two runs of one day at once would each close what the other has found.
create unique index reconciliations_under_way on reconciliations (connection_id, date) where state = 'running';
alter table reconciliations enable row level security;
alter table reconciliations force row level security;
create policy operator on reconciliations to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update on reconciliations to jara_app;

-- What does not agree. It lives as long as every run of its day finds the same: the version that no longer does closes
-- it. What an operator has explained is resolved, and stays so while the figures stay as they were.
create table reconciliation_exceptions (
  id uuid primary key,
  connection_id uuid not null references rail_connections (id),
  date date not null,
  -- Which payment: its kind, and our id or the provider's.
  subject text not null,
  kind text not null check (kind in
    ('missing_at_provider', 'missing_with_us', 'amount_differs', 'status_differs', 'fee_differs')),
  ours jsonb,
  theirs jsonb,
  first_seen_at timestamptz not null,
  first_version integer not null,
  closed_version integer check (closed_version > first_version),
  closed_at timestamptz,
  resolved_by text,
  resolved_reason text,
  resolved_at timestamptz,
  check (ours is not null or theirs is not null),
  check ((closed_version is null) = (closed_at is null)),
  check ((resolved_by is null) = (resolved_at is null) and (resolved_by is null) = (resolved_reason is null))
);
create unique index reconciliation_exceptions_standing on reconciliation_exceptions (connection_id, date, subject, kind)
  where closed_version is null;
create index reconciliation_exceptions_of_day on reconciliation_exceptions (connection_id, date, id);
create index reconciliation_exceptions_open on reconciliation_exceptions (connection_id, kind)
  where closed_version is null and resolved_by is null;
alter table reconciliation_exceptions enable row level security;
alter table reconciliation_exceptions force row level security;
create policy operator on reconciliation_exceptions to jara_app
  using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update on reconciliation_exceptions to jara_app;

-- The orders of a connection by the moment that they were sent, and by what the provider calls them.
create index transfers_sent_to_connection on transfers (connection_id, sent_at) where connection_id is not null;
create index bills_sent_to_connection on bills (connection_id, sent_at) where connection_id is not null;
create index card_charges_sent_to_connection on card_charges (connection_id, created_at)
  where connection_id is not null;
create index card_refunds_of_charge on card_refunds (environment_id, charge_id);
create index card_refunds_by_time on card_refunds (created_at);
create index rail_traces_of_connection on rail_traces (connection_id, order_id);
create index rail_traces_by_provider_reference on rail_traces (connection_id, provider_reference);

-- Orders of a connection, over all environments: those sent from one moment until another, and those that are named.
-- Each in the words of reconciliation: success, failure, taken_back, open; trial for what is charged and given back to
-- link a card, which is found by its id only. booked_as is what the ledger has booked it as.
create function list_orders_of_transfers(
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

create function list_orders_of_bills(
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

-- The first charge of a card that is linked on the processor's page is nobody's repayment: it goes back at once.
create function list_orders_of_card_charges(
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

create function list_orders_of_card_refunds(
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

-- What providers have told about orders, by our ids or by theirs.
create function list_rail_traces(
  wanted_connection uuid, wanted_port text, order_ids text[], provider_references text[], at_most integer)
  returns table (order_id text, provider_reference text, fee bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select t.order_id, t.provider_reference, t.fee from rail_traces t
    where t.connection_id = wanted_connection and t.port = wanted_port
      and (t.order_id = any (order_ids) or t.provider_reference = any (provider_references))
    limit at_most;
  end;

-- What the ledger has on one system account for each of some records. Ids rise with time and entries lie in the order
-- of theirs: the bounds let the block range index pass over all other days.
create function sum_booked_records(account_purpose text, environments uuid[], records uuid[])
  returns table (environment_id uuid, record_id uuid, amount bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with wanted as (
      select distinct w.environment_id, w.record_id from unnest(environments, records) as w (environment_id, record_id)
    ), posted as materialized (
      select w.environment_id, w.record_id, t.id from wanted w
      join ledger_transactions t on t.environment_id = w.environment_id and t.resource_id = w.record_id
      union all
      select w.environment_id, w.record_id, t.id from wanted w
      join ledger_transactions t on t.environment_id = w.environment_id and t.id = w.record_id
    )
    select p.environment_id, p.record_id, sum(e.amount)::bigint from posted p
    join accounts a on a.environment_id = p.environment_id and a.purpose = account_purpose and not a.has_floor
    join entries e on e.environment_id = p.environment_id and e.transaction_id = p.id and e.account_id = a.id
    where e.transaction_id >= (select f.id from posted f order by f.id limit 1)
      and e.transaction_id <= (select l.id from posted l order by l.id desc limit 1)
    group by p.environment_id, p.record_id;
  end;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'list_orders_of_transfers(uuid, timestamptz, timestamptz, text[], integer)',
    'list_orders_of_bills(uuid, timestamptz, timestamptz, text[], integer)',
    'list_orders_of_card_charges(uuid, timestamptz, timestamptz, text[], integer)',
    'list_orders_of_card_refunds(uuid, timestamptz, timestamptz, text[], integer)',
    'list_rail_traces(uuid, text, text[], text[], integer)',
    'sum_booked_records(text, uuid[], uuid[])'] loop
    execute format('alter function %s owner to jara_lookup', signature);
    execute format('revoke execute on function %s from public', signature);
    execute format('grant execute on function %s to jara_app', signature);
  end loop;
end
$$;
