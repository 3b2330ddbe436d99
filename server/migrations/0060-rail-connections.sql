-- One account of ours at a provider. The operator's: tenants see nothing of it, and emptying a sandbox leaves it alone.
-- Its credentials are bound to the operator's scope.
create table rail_connections (
  scope_id uuid not null default '00000000-0000-0000-0000-000000000000'
    check (scope_id = '00000000-0000-0000-0000-000000000000'),
  id uuid primary key,
  provider text not null,
  name text not null check (length(name) between 1 and 200),
  mode text not null check (mode in ('live', 'test')),
  ports text[] not null check (cardinality(ports) > 0),
  base_url text not null,
  sealed_credentials bytea not null,
  state text not null check (state in ('active', 'paused', 'retired')),
  -- The provider said that it takes no orders: passed over until a check passes.
  hold_reason text,
  hold_message text,
  held_at timestamptz,
  checks jsonb not null,
  checks_passed boolean not null,
  checked_at timestamptz not null,
  float_kobo bigint,
  float_read_at timestamptz,
  -- Grows with whatever makes another connection of it: credentials, address, ports.
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((hold_reason is null) = (held_at is null))
);
alter table rail_connections enable row level security;
alter table rail_connections force row level security;
create policy operator on rail_connections to jara_app using (in_operator_scope()) with check (in_operator_scope());
create policy lookup on rail_connections to jara_lookup using (true) with check (true);
grant select, insert, update on rail_connections to jara_app;
-- A start looks whether the master key opens what is sealed.
grant select on rail_connections to jara_lookup;

-- Which connections serve a port, in order. served_environment is the operator's scope for all live environments.
create table rail_routes (
  served_environment uuid not null,
  port text not null check (port in ('bank', 'biller', 'card', 'message', 'identity', 'inbound')),
  -- Empty for everything that has no list of its own.
  category text not null default '',
  connection_ids uuid[] not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (served_environment, port, category),
  check (category = '' or port = 'biller')
);
alter table rail_routes enable row level security;
alter table rail_routes force row level security;
create policy operator on rail_routes to jara_app using (in_operator_scope()) with check (in_operator_scope());
create policy lookup on rail_routes to jara_lookup using (true) with check (true);
grant select, insert, update, delete on rail_routes to jara_app;

-- What providers' webhooks told us to ask about, and what became of it.
create table rail_hints (
  id uuid not null,
  connection_id uuid not null references rail_connections (id),
  received_at timestamptz not null default clock_timestamp(),
  event text not null,
  port text not null,
  order_id text not null,
  outcome text not null default 'waiting',
  tries integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  primary key (id)
);
create index rail_hints_by_connection on rail_hints (connection_id, id);
create index rail_hints_waiting on rail_hints (next_at) where done_at is null;
-- A provider repeats itself. One question answers all that came before it was asked.
create unique index rail_hints_once on rail_hints (connection_id, port, order_id) where done_at is null;
alter table rail_hints enable row level security;
alter table rail_hints force row level security;
create policy operator on rail_hints to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on rail_hints to jara_app;

-- By what the provider knows an order, as far as it has told.
create table rail_traces (
  environment_id uuid not null references environments (id),
  connection_id uuid not null references rail_connections (id),
  port text not null,
  order_id text not null,
  provider_reference text,
  network_session_id text,
  fee bigint,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (environment_id, connection_id, port, order_id)
);
alter table rail_traces enable row level security;
alter table rail_traces force row level security;
create policy tenant on rail_traces to jara_app
  using (environment_id = current_environment()) with check (environment_id = current_environment());
create policy lookup on rail_traces to jara_lookup using (true) with check (true);
grant select, insert, update, delete on rail_traces to jara_app;
grant select, delete on rail_traces to jara_lookup;

-- The order that a provider names by our session or request id, on that provider's own connection.
create function find_transfer_of_connection(wanted_connection uuid, wanted_session text)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  select t.environment_id, t.id from transfers t
  where t.connection_id = wanted_connection and t.session_id = wanted_session
$$;
alter function find_transfer_of_connection(uuid, text) owner to jara_lookup;
revoke execute on function find_transfer_of_connection(uuid, text) from public;
grant execute on function find_transfer_of_connection(uuid, text) to jara_app;

create function find_bill_of_connection(wanted_connection uuid, wanted_request text)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  select b.environment_id, b.id from bills b
  where b.connection_id = wanted_connection and b.request_id = wanted_request
$$;
alter function find_bill_of_connection(uuid, text) owner to jara_lookup;
revoke execute on function find_bill_of_connection(uuid, text) from public;
grant execute on function find_bill_of_connection(uuid, text) to jara_app;
