create table people (
  id uuid primary key,
  email text not null check (email = lower(email) and length(email) between 3 and 320),
  name text not null check (length(name) between 1 and 200),
  -- Somebody who joins a merchant by an invitation has shown a link and nothing else, so the address is that merchant's
  -- own word. Null where an operator confirmed it.
  merchant_id uuid references merchants,
  email_verified boolean not null generated always as (merchant_id is null) stored,
  image text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique nulls not distinct (email, merchant_id)
);
alter table people enable row level security;
alter table people force row level security;
create policy people on people to jara_app using (outside_tenants()) with check (outside_tenants());
grant select, insert, update, delete on people to jara_app;

create table person_sessions (
  id uuid primary key,
  -- Worth nothing without the signature that the cookie carries.
  token text not null unique,
  person_id uuid not null references people (id) on delete cascade,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- When the person of a session last proved to be it, after signing in. Money that moves by hand asks for a fresh
  -- proof.
  proven_at timestamptz
);
create index person_sessions_by_person on person_sessions (person_id);
alter table person_sessions enable row level security;
alter table person_sessions force row level security;
create policy people on person_sessions to jara_app using (outside_tenants()) with check (outside_tenants());
grant select, insert, update, delete on person_sessions to jara_app;

-- How a person proves to be it; `password` is a scrypt hash.
create table person_credentials (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (provider_id, account_id)
);
create index person_credentials_by_person on person_credentials (person_id);
alter table person_credentials enable row level security;
alter table person_credentials force row level security;
create policy people on person_credentials to jara_app using (outside_tenants()) with check (outside_tenants());
grant select, insert, update, delete on person_credentials to jara_app;

create table person_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index person_verifications_by_identifier on person_verifications (identifier);
alter table person_verifications enable row level security;
alter table person_verifications force row level security;
create policy people on person_verifications to jara_app using (outside_tenants()) with check (outside_tenants());
grant select, insert, update, delete on person_verifications to jara_app;

-- The authenticator app of a person, once a first code was right. A code is good for one step of thirty seconds, and a
-- step is used once.
create table person_authenticators (
  scope_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
    check (scope_id = '00000000-0000-0000-0000-000000000000'::uuid),
  person_id uuid primary key references people (id) on delete cascade,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default clock_timestamp()
);
alter table person_authenticators enable row level security;
alter table person_authenticators force row level security;
create policy lookup on person_authenticators to jara_lookup using (true) with check (true);
create policy operator on person_authenticators to jara_app
  using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on person_authenticators to jara_app;
grant select on person_authenticators to jara_lookup;

-- What lets a person in who has lost the app. Only hashes are kept.
create table person_recovery_codes (
  hash bytea primary key,
  person_id uuid not null references people (id) on delete cascade,
  used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index person_recovery_codes_by_person on person_recovery_codes (person_id);
alter table person_recovery_codes enable row level security;
alter table person_recovery_codes force row level security;
create policy operator on person_recovery_codes to jara_app
  using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on person_recovery_codes to jara_app;

-- A passkey of a person: the public half of a key pair whose private half never leaves their phone, laptop or security
-- key. `counter` is what the authenticator last said; one that goes back is a copy.
create table person_passkeys (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 16 and 1023),
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index person_passkeys_by_person on person_passkeys (person_id, created_at);
alter table person_passkeys enable row level security;
alter table person_passkeys force row level security;
create policy operator on person_passkeys to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on person_passkeys to jara_app;

-- What a browser was asked to sign. It is looked for once, by the session or the browser that asked, and is gone
-- afterwards, whatever came of it. Only hashes are kept.
create table passkey_challenges (
  hash bytea primary key,
  purpose text not null check (purpose in ('add', 'sign_in', 'prove')),
  session_id uuid references person_sessions (id) on delete cascade,
  browser_hash bytea,
  expires_at timestamptz not null,
  check ((purpose = 'sign_in') = (session_id is null)),
  constraint passkey_challenges_check1 check ((purpose = 'sign_in') = (browser_hash is not null))
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
create index passkey_challenges_by_session on passkey_challenges (session_id);
alter table passkey_challenges enable row level security;
alter table passkey_challenges force row level security;
create policy operator on passkey_challenges to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on passkey_challenges to jara_app;

-- Who works for a merchant, and as what.
create table memberships (
  merchant_id uuid not null references merchants (id),
  person_id uuid not null references people (id) on delete cascade,
  role text not null check (role in ('owner', 'developer', 'finance', 'support', 'viewer')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, person_id)
);
create index memberships_by_person on memberships (person_id);
alter table memberships enable row level security;
alter table memberships force row level security;
create policy operator on memberships to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on memberships to jara_app;

-- Who works for the operator.
create table operator_people (
  person_id uuid primary key references people (id) on delete cascade,
  role text not null check (role in ('admin', 'support', 'reconciliation')),
  created_at timestamptz not null default clock_timestamp()
);
alter table operator_people enable row level security;
alter table operator_people force row level security;
create policy operator on operator_people to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on operator_people to jara_app;

-- Somebody whom an owner asked to join a merchant, or an admin to join the operator's people. Only the hash of what the
-- link holds is kept.
create table invitations (
  id uuid primary key,
  hash bytea not null unique,
  merchant_id uuid references merchants (id),
  email text not null check (email = lower(email) and length(email) between 3 and 320),
  role text not null,
  invited_by uuid references people (id) on delete set null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (case
    when (merchant_id is null) then (role in ('admin', 'support', 'reconciliation'))
    else (role in ('owner', 'developer', 'finance', 'support', 'viewer'))
end),
  constraint invitations_check1 check (accepted_at is null or withdrawn_at is null)
);
create index invitations_by_merchant on invitations (merchant_id, created_at);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy operator on invitations to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on invitations to jara_app;

-- Addresses that sign a person in once. Only the hash of what the address holds is kept.
create table sign_in_links (
  hash bytea primary key,
  person_id uuid not null references people (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index sign_in_links_by_person on sign_in_links (person_id);
alter table sign_in_links enable row level security;
alter table sign_in_links force row level security;
create policy operator on sign_in_links to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update, delete on sign_in_links to jara_app;

-- What cookies are signed with: made once, the same for every process, sealed under the master key.
create table console_secrets (
  scope_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
    check (scope_id = '00000000-0000-0000-0000-000000000000'::uuid),
  id text primary key,
  sealed_secret bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
alter table console_secrets enable row level security;
alter table console_secrets force row level security;
create policy lookup on console_secrets to jara_lookup using (true) with check (true);
create policy operator on console_secrets to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update on console_secrets to jara_app;
grant select on console_secrets to jara_lookup;

-- Payouts that a person asked for and a second one has to agree to, above a limit that the merchant's owner sets.
create table approval_limits (
  environment_id uuid primary key references environments (id),
  -- What one person may pay alone within 24 hours, in kobo. Null: as much as they like.
  amount bigint check (amount >= 0),
  set_by uuid not null,
  set_by_email text not null,
  set_at timestamptz not null
);
call protect_tenant_table('approval_limits');
grant select, insert, update (amount, set_by, set_by_email, set_at) on approval_limits to jara_app;

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
grant select, insert, update (taken_back) on person_spendings to jara_app;

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
  constraint approvals_by_a_second_person check (status <> 'approved' or decided_by <> requested_by),
  check ((status = 'waiting') = (decided_by is null)),
  constraint approvals_check1 check ((decided_by is null) = (decided_at is null)),
  constraint approvals_check2 check ((status = 'approved' and kind = 'payout') = (transfer_id is not null)),
  constraint approvals_check3 check ((status = 'approved' and kind = 'batch') = (batch_id is not null))
);
create unique index approvals_by_position on approvals (environment_id, list_position);
create index approvals_waiting on approvals (environment_id, list_position) where status = 'waiting';
call protect_tenant_table('approvals');
grant select, insert, update (status, decided_by, decided_by_email, decided_at, reason, transfer_id, batch_id)
  on approvals to jara_app;
