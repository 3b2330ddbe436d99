-- One clock per environment. A LIVE environment has no row here: it follows real time.
create table environment_clocks (
  environment_id uuid primary key references environments (id),
  mode text not null default 'running' check (mode in ('running', 'frozen')),
  -- Running: environment time = real time + offset.
  offset_ms bigint not null default 0,
  -- Frozen: environment time stands here.
  frozen_at timestamptz,
  seed text,
  -- Counts writing transactions of a frozen sandbox; seed and number make each one's ids its own.
  transaction_number bigint not null default 0,
  -- An advance stops the clock at each due time in turn; afterwards the clock runs on if this says so.
  resumes boolean not null default false,
  -- When somebody last wrote in order, in real time. What looks after frozen sandboxes leaves alone those at work.
  touched_at timestamptz,
  check (mode = 'running' or frozen_at is not null)
);
call protect_tenant_table('environment_clocks');
grant select, insert, update on environment_clocks to jara_app;
grant insert, update on environment_clocks to jara_lookup;

-- Everything that is due later, in the environment's time. wake_at is the same moment in real time, kept for running
-- clocks so that one index finds what is due in all environments; null while the clock is frozen.
create table agenda (
  environment_id uuid not null references environments (id),
  id bigint generated always as identity,
  kind text not null,
  -- What the entry is about, usually a record's id. One entry a kind and subject: booking again moves it.
  subject text not null,
  payload jsonb not null default '{}',
  due_at timestamptz not null,
  wake_at timestamptz,
  -- Counts bookings of this entry, so that who ran it removes it only if it was not booked again meanwhile.
  booking integer not null default 1,
  -- What is made up in a frozen sandbox (ids, digits) is a function of why it happens. A request's transaction counts;
  -- a task that was booked carries the name of its own stream, made by the transaction that booked it. What a
  -- background loop writes has neither, and so cannot move the others' ids, whenever it comes. Null where it was booked
  -- on a running clock or in the background.
  stream text,
  -- Work that was booked while the database's clock was ahead would wait until the clock is there again. Leases and
  -- pauses of orders and webhooks end within two minutes, so a later end was written by a wrong clock. An entry of the
  -- agenda may be due in a month, so it keeps when it was booked: a booking in the future is moved back as far as it is
  -- ahead.
  booked_at timestamptz default clock_timestamp(),
  primary key (environment_id, id),
  unique (environment_id, kind, subject)
);
create index agenda_by_booking on agenda (booked_at);
create index agenda_by_due on agenda (environment_id, due_at, id);
create index agenda_by_wake on agenda (wake_at) where wake_at is not null;
call protect_tenant_table('agenda');
grant select, insert, update, delete on agenda to jara_app;
grant update on agenda to jara_lookup;

-- Advances of a sandbox's clock that nobody waits for: what was asked, and how far it has come.
create table clock_advances (
  environment_id uuid not null references environments (id),
  id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'stopped')),
  started_from timestamptz not null,
  wanted_to timestamptz not null,
  -- Where the clock stands, as far as has been written down.
  reached timestamptz not null,
  ran bigint not null default 0,
  -- The problem that stopped it: its code and the sentence that says what to do.
  error jsonb,
  -- In real time, like leases: when it was asked for, and when whoever runs it was last heard of.
  asked_at timestamptz not null default clock_timestamp(),
  heard_at timestamptz not null default clock_timestamp(),
  primary key (environment_id, id)
);
-- One at a time.
create unique index clock_advances_open on clock_advances (environment_id) where state in ('waiting', 'running');
call protect_tenant_table('clock_advances');
grant select, insert, update on clock_advances to jara_app;
