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
  check ((state = 'failed') = (failure_message is not null)),
  check (state <> 'clean' or contradictions = 0),
  check (state <> 'contradictions' or contradictions > 0)
);
-- One at a time, however many processes there are: it reads everything.
create unique index verifications_under_way on verifications ((true)) where state = 'running';
create index verifications_ended on verifications (ended_at) where ended_at is not null;
alter table verifications enable row level security;
alter table verifications force row level security;
create policy operator on verifications to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update on verifications to jara_app;
