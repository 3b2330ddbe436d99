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
  check ((source = 'system') = (seen_at is not null)),
  check ((state = 'resolved') = (ended_at is not null)),
  check (ended_at >= started_at)
);
create unique index incidents_under_way on incidents (cause) where source = 'system' and ended_at is null;
create index incidents_ended on incidents (coalesce(ended_at, 'infinity'));

create table incident_updates (
  incident_id uuid not null references incidents,
  number integer not null check (number > 0),
  state text not null check (state in ('investigating', 'identified', 'watching', 'resolved')),
  message text not null check (length(message) between 1 and 2000),
  written_by text not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (incident_id, number)
);

alter table incidents enable row level security;
alter table incidents force row level security;
create policy operator on incidents to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on incidents to jara_app;
alter table incident_updates enable row level security;
alter table incident_updates force row level security;
create policy operator on incident_updates to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert on incident_updates to jara_app;
