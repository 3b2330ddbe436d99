-- One account of ours at a provider. The operator's: tenants see nothing of it, and emptying a sandbox leaves it alone.
-- Its credentials are bound to the operator's scope.
create table rail_connections (
  scope_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
    check (scope_id = '00000000-0000-0000-0000-000000000000'::uuid),
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
create policy lookup on rail_connections to jara_lookup using (true) with check (true);
create policy operator on rail_connections to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update on rail_connections to jara_app;
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
create policy lookup on rail_routes to jara_lookup using (true) with check (true);
create policy operator on rail_routes to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on rail_routes to jara_app;

-- What providers' webhooks told us to ask about, and what became of it.
create table rail_hints (
  id uuid primary key,
  connection_id uuid not null references rail_connections (id),
  received_at timestamptz not null default clock_timestamp(),
  event text not null,
  port text not null,
  order_id text not null,
  outcome text not null default 'waiting',
  tries integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  done_at timestamptz
);
create index rail_hints_by_connection on rail_hints (connection_id, id);
-- A provider repeats itself. One question answers all that came before it was asked.
create unique index rail_hints_once on rail_hints (connection_id, port, order_id) where done_at is null;
create index rail_hints_waiting on rail_hints (next_at) where done_at is null;
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
create index rail_traces_by_provider_reference on rail_traces (connection_id, provider_reference);
create index rail_traces_of_connection on rail_traces (connection_id, order_id);
call protect_tenant_table('rail_traces');
grant select, insert, update, delete on rail_traces to jara_app;

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
  constraint reconciliations_check1 check ((state = 'failed') = (failure_code is not null)),
  constraint reconciliations_check2 check ((state in ('clean', 'exceptions')) = (counts is not null
    and totals is not null))
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
  kind text not null
    check (kind in ('missing_at_provider', 'missing_with_us', 'amount_differs', 'status_differs', 'fee_differs')),
  ours jsonb,
  theirs jsonb,
  first_seen_at timestamptz not null,
  first_version integer not null,
  closed_version integer,
  closed_at timestamptz,
  resolved_by text,
  resolved_reason text,
  resolved_at timestamptz,
  check (closed_version > first_version),
  constraint reconciliation_exceptions_check1 check (ours is not null or theirs is not null),
  constraint reconciliation_exceptions_check2 check ((closed_version is null) = (closed_at is null)),
  constraint reconciliation_exceptions_check3 check ((resolved_by is null) = (resolved_at is null)
    and (resolved_by is null) = (resolved_reason is null))
);
create index reconciliation_exceptions_of_day on reconciliation_exceptions (connection_id, date, id);
create index reconciliation_exceptions_open
  on reconciliation_exceptions (connection_id, kind) where closed_version is null and resolved_by is null;
create unique index reconciliation_exceptions_standing
  on reconciliation_exceptions (connection_id, date, subject, kind) where closed_version is null;
alter table reconciliation_exceptions enable row level security;
alter table reconciliation_exceptions force row level security;
create policy operator on reconciliation_exceptions to jara_app
  using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update on reconciliation_exceptions to jara_app;
