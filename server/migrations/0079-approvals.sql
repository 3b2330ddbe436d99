-- Payouts that a person asked for and a second one has to agree to, above a limit that the merchant's owner sets.
create table approval_limits (
  environment_id uuid not null references environments (id),
  -- What one person may pay alone within 24 hours, in kobo. Null: as much as they like.
  amount bigint check (amount >= 0),
  set_by uuid not null,
  set_by_email text not null,
  set_at timestamptz not null,
  primary key (environment_id)
);
call protect_tenant_table('approval_limits');
grant select, insert on approval_limits to jara_app;
grant update (amount, set_by, set_by_email, set_at) on approval_limits to jara_app;

-- What people have paid alone. An attempt is written down before it is made, and taken back when it is refused: so
-- two attempts at once cannot both be the one that still fits.
create table person_spendings (
  environment_id uuid not null references environments (id),
  id uuid not null,
  person_id uuid not null,
  reference text not null,
  amount bigint not null check (amount > 0),
  taken_back boolean not null default false,
  created_at timestamptz not null,
  primary key (environment_id, id)
);
create index person_spendings_lately on person_spendings (environment_id, person_id, created_at) where not taken_back;
call protect_tenant_table('person_spendings');
grant select, insert on person_spendings to jara_app;
grant update (taken_back) on person_spendings to jara_app;

-- What was asked for never changes: only the decision is written later, and the approved one is not the asker's.
create table approvals (
  environment_id uuid not null references environments (id),
  id uuid not null,
  kind text not null check (kind in ('payout', 'batch')),
  reference text not null,
  -- The body of POST /transfers or POST /transfers/bulk.
  asked jsonb not null,
  amount bigint not null check (amount > 0),
  payouts integer not null check (payouts > 0),
  note text,
  requested_by uuid not null,
  requested_by_email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'rejected')),
  decided_by uuid,
  decided_by_email text,
  decided_at timestamptz,
  reason text,
  transfer_id uuid,
  batch_id uuid,
  list_position bigint not null,
  primary key (environment_id, id),
  check ((status = 'waiting') = (decided_by is null)),
  check ((decided_by is null) = (decided_at is null)),
  check ((status = 'approved' and kind = 'payout') = (transfer_id is not null)),
  check ((status = 'approved' and kind = 'batch') = (batch_id is not null)),
  constraint approvals_by_a_second_person check (status <> 'approved' or decided_by <> requested_by)
);
create unique index approvals_by_position on approvals (environment_id, list_position);
create index approvals_waiting on approvals (environment_id, list_position) where status = 'waiting';
call protect_tenant_table('approvals');
grant select, insert on approvals to jara_app;
grant update (status, decided_by, decided_by_email, decided_at, reason, transfer_id, batch_id) on approvals to jara_app;
