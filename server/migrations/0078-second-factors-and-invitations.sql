-- The authenticator app of a person, once a first code was right. A code is good for one step of thirty seconds, and a
-- step is used once.
create table person_authenticators (
  scope_id uuid not null default '00000000-0000-0000-0000-000000000000'
    check (scope_id = '00000000-0000-0000-0000-000000000000'),
  person_id uuid primary key references people on delete cascade,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default clock_timestamp()
);

-- What lets a person in who has lost the app. Only hashes are kept.
create table person_recovery_codes (
  hash bytea primary key,
  person_id uuid not null references people on delete cascade,
  used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index person_recovery_codes_by_person on person_recovery_codes (person_id);

-- Somebody whom an owner asked to join a merchant, or an admin to join the operator's people. Only the hash of what the
-- link holds is kept.
create table invitations (
  id uuid primary key,
  hash bytea not null unique,
  merchant_id uuid references merchants,
  email text not null check (email = lower(email) and length(email) between 3 and 320),
  role text not null,
  invited_by uuid references people on delete set null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (case when merchant_id is null then role in ('admin', 'support', 'reconciliation')
    else role in ('owner', 'developer', 'finance', 'support', 'viewer') end),
  check (accepted_at is null or withdrawn_at is null)
);
create index invitations_by_merchant on invitations (merchant_id, created_at);

do $$
declare
  target text;
begin
  foreach target in array array['person_authenticators', 'person_recovery_codes', 'invitations'] loop
    execute format('alter table %I enable row level security', target);
    execute format('alter table %I force row level security', target);
    execute format(
      'create policy operator on %I to jara_app using (in_operator_scope()) with check (in_operator_scope())', target);
    execute format('grant select, insert, update, delete on %I to jara_app', target);
  end loop;
end
$$;

-- A starting server looks at a sample of every sealed column, as the look-up role.
create policy lookup on person_authenticators to jara_lookup using (true) with check (true);
grant select on person_authenticators to jara_lookup;

-- Until now an operator has let everybody in, and vouched for the address. Who joins by a merchant's invitation is
-- known to nobody but who handed the link over.
update people set email_verified = true;
