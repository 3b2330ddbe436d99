-- Which master keys this database was sealed under, so that a server with another key is told at its start and does not
-- write what nobody can read later. check_value is a keyed hash: it tells whether two keys are the same and nothing
-- about the key. Only the owner touches this table, at the start of a server; the application has no rights here.
create table master_keys (
  version integer primary key check (version between 1 and 65535),
  check_value bytea not null check (length(check_value) = 32),
  first_used_at timestamptz not null default now(),
  -- Set when a server started without the key and nothing needed it any more. The row stays: a version names one key
  -- for ever, because backups may hold what it sealed.
  retired_at timestamptz
);

-- Who is at work: each server and worker says every few seconds that it lives. The operator's.
create table processes (
  id uuid primary key,
  role text not null check (role in ('api', 'worker', 'all')),
  version text not null,
  host text not null,
  pid integer not null,
  -- How far its clock is before the database's; behind is negative.
  clock_ahead_ms integer not null,
  started_at timestamptz not null default clock_timestamp(),
  heard_at timestamptz not null default clock_timestamp()
);
alter table processes enable row level security;
alter table processes force row level security;
create policy operator on processes to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on processes to jara_app;

create sequence api_request_positions;
grant usage on sequence api_request_positions to jara_lookup;

create unlogged table api_requests (
  environment_id uuid not null,
  -- Rises in the order of commits: a writer holds the lock of record_requests.
  position bigint not null default nextval('api_request_positions'),
  -- When it came, in real time.
  at timestamptz not null,
  -- The same moment by the environment's clock, for traces.
  clock_at timestamptz not null,
  request_id text not null,
  method text not null,
  -- The path as the reference writes it: /transfers/{id}.
  route text not null,
  path text not null,
  status integer not null,
  code text,
  duration_ms integer not null,
  key_id uuid not null,
  idempotency_key text,
  user_agent text,
  -- What the reply's Jara-Warning says.
  warning text,
  replayed boolean not null,
  -- What a write made or changed.
  record_id uuid,
  request_body text,
  response_body text,
  primary key (environment_id, "position")
);
create index api_requests_by_record on api_requests (environment_id, record_id) where record_id is not null;
create index api_requests_by_request_id on api_requests (request_id);
call protect_tenant_table('api_requests');
grant select on api_requests to jara_app;
grant insert on api_requests to jara_lookup;

-- What `npm run verify` recomputes, done by workers every night and when an operator asks. The operator's: tenants see
-- nothing of it.
create table verifications (
  id uuid primary key,
  state text not null check (state in ('running', 'clean', 'contradictions', 'failed')),
  requested_by text not null,
  -- What was recomputed, and how much of it is otherwise than it must be.
  environments integer not null default 0 check (environments >= 0),
  checks integer not null default 0 check (checks >= 0),
  contradictions integer not null default 0 check (contradictions >= 0),
  -- The first of them, for a person to begin with.
  found jsonb not null default '[]',
  failure_message text,
  -- How often a worker took it up, and from when another may.
  tries integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  check ((state = 'running') = (ended_at is null)),
  constraint verifications_check1 check ((state = 'failed') = (failure_message is not null)),
  constraint verifications_check2 check (state <> 'clean' or contradictions = 0),
  constraint verifications_check3 check (state <> 'contradictions' or contradictions > 0)
);
create index verifications_ended on verifications (ended_at) where ended_at is not null;
-- One at a time, however many processes there are: it reads everything.
create unique index verifications_under_way on verifications ((true)) where state = 'running';
alter table verifications enable row level security;
alter table verifications force row level security;
create policy operator on verifications to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update on verifications to jara_app;

-- What went wrong, when, and what was done about it, for everybody to read at /status. The operator's: a worker opens
-- and ends what it sees by itself, people write the rest.
create table incidents (
  id uuid primary key,
  source text not null check (source in ('system', 'operator')),
  -- What the system saw, such as rail.bank: while it lasts there is one incident of it.
  cause text check (length(cause) between 1 and 60),
  title text not null check (length(title) between 1 and 120),
  condition text not null check (condition in ('slow', 'not_working')),
  parts text[] not null check (cardinality(parts) between 1 and 20),
  state text not null check (state in ('investigating', 'identified', 'watching', 'resolved')),
  started_at timestamptz not null,
  -- When the system saw it last. It ends when nobody has seen it for a while.
  seen_at timestamptz,
  -- Since when the public sees it; null while it may still be over in a moment.
  shown_at timestamptz,
  ended_at timestamptz,
  -- Taken off the public page, because something stood in it that is nobody's business.
  withdrawn_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check ((source = 'system') = (cause is not null)),
  constraint incidents_check1 check ((source = 'system') = (seen_at is not null)),
  constraint incidents_check2 check ((state = 'resolved') = (ended_at is not null)),
  constraint incidents_check3 check (ended_at >= started_at)
);
create index incidents_ended on incidents (coalesce(ended_at, 'infinity'::timestamp with time zone));
create unique index incidents_under_way on incidents (cause) where source = 'system' and ended_at is null;
alter table incidents enable row level security;
alter table incidents force row level security;
create policy operator on incidents to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on incidents to jara_app;

create table incident_updates (
  incident_id uuid not null references incidents (id),
  number integer not null check (number > 0),
  state text not null check (state in ('investigating', 'identified', 'watching', 'resolved')),
  message text not null check (length(message) between 1 and 2000),
  written_by text not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (incident_id, number)
);
alter table incident_updates enable row level security;
alter table incident_updates force row level security;
create policy operator on incident_updates to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert on incident_updates to jara_app;
