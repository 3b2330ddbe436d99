-- A passkey of a person: the public half of a key pair whose private half never leaves their phone, laptop or security
-- key. `counter` is what the authenticator last said; one that goes back is a copy.
create table person_passkeys (
  id uuid primary key,
  person_id uuid not null references people on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 16 and 1023),
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index person_passkeys_by_person on person_passkeys (person_id, created_at);

-- What a browser was asked to sign. It is looked for once, by the session or the browser that asked, and is gone
-- afterwards, whatever came of it. Only hashes are kept.
create table passkey_challenges (
  hash bytea primary key,
  purpose text not null check (purpose in ('add', 'sign_in', 'prove')),
  session_id uuid references person_sessions on delete cascade,
  browser_hash bytea,
  expires_at timestamptz not null,
  check ((purpose = 'sign_in') = (session_id is null)),
  check ((purpose = 'sign_in') = (browser_hash is not null))
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
create index passkey_challenges_by_session on passkey_challenges (session_id);

do $$
declare
  target text;
begin
  foreach target in array array['person_passkeys', 'passkey_challenges'] loop
    execute format('alter table %I enable row level security', target);
    execute format('alter table %I force row level security', target);
    execute format(
      'create policy operator on %I to jara_app using (in_operator_scope()) with check (in_operator_scope())', target);
    execute format('grant select, insert, update, delete on %I to jara_app', target);
  end loop;
end
$$;
