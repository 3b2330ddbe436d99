-- People who use the console. They are the operator's data and no tenant's: a person can work for several merchants,
-- and for the operator. The tables that the sign-in library fills (people, their sessions, credentials and
-- verifications) are read before any environment is known, so their wall lets in what has entered none, and keeps
-- every tenant out.
create function outside_tenants() returns boolean
  language sql stable parallel safe
  return current_environment() is null or in_operator_scope();

create table people (
  id uuid primary key,
  email text not null unique check (email = lower(email) and length(email) between 3 and 320),
  name text not null check (length(name) between 1 and 200),
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table person_sessions (
  id uuid primary key,
  -- Worth nothing without the signature that the cookie carries.
  token text not null unique,
  person_id uuid not null references people on delete cascade,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index person_sessions_by_person on person_sessions (person_id);

-- How a person proves to be it; `password` is a scrypt hash.
create table person_credentials (
  id uuid primary key,
  person_id uuid not null references people on delete cascade,
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

create table person_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index person_verifications_by_identifier on person_verifications (identifier);

-- Who works for a merchant, and as what.
create table memberships (
  merchant_id uuid not null references merchants,
  person_id uuid not null references people on delete cascade,
  role text not null check (role in ('owner', 'developer', 'finance', 'support', 'viewer')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, person_id)
);
create index memberships_by_person on memberships (person_id);

-- Who works for the operator.
create table operator_people (
  person_id uuid primary key references people on delete cascade,
  role text not null check (role in ('admin', 'support', 'reconciliation')),
  created_at timestamptz not null default clock_timestamp()
);

-- Addresses that sign a person in once. Only the hash of what the address holds is kept.
create table sign_in_links (
  hash bytea primary key,
  person_id uuid not null references people on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index sign_in_links_by_person on sign_in_links (person_id);

-- What cookies are signed with: made once, the same for every process, sealed under the master key.
create table console_secrets (
  scope_id uuid not null default '00000000-0000-0000-0000-000000000000'
    check (scope_id = '00000000-0000-0000-0000-000000000000'),
  id text primary key,
  sealed_secret bytea not null,
  created_at timestamptz not null default clock_timestamp()
);

do $$
declare
  target text;
begin
  foreach target in array array['people', 'person_sessions', 'person_credentials', 'person_verifications'] loop
    execute format('alter table %I enable row level security', target);
    execute format('alter table %I force row level security', target);
    execute format(
      'create policy people on %I to jara_app using (outside_tenants()) with check (outside_tenants())', target);
    execute format('grant select, insert, update, delete on %I to jara_app', target);
  end loop;
  foreach target in array array['memberships', 'operator_people', 'sign_in_links', 'console_secrets'] loop
    execute format('alter table %I enable row level security', target);
    execute format('alter table %I force row level security', target);
    execute format(
      'create policy operator on %I to jara_app using (in_operator_scope()) with check (in_operator_scope())', target);
  end loop;
end
$$;
grant select, insert, update, delete on memberships, operator_people, sign_in_links to jara_app;
grant select, insert, update on console_secrets to jara_app;
