create table merchants (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 320),
  created_at timestamptz not null,
  list_position bigint not null unique
);

create table environments (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  kind text not null check (kind in ('SANDBOX', 'LIVE')),
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  -- The nil environment is the operator's scope, never a tenant.
  check (id <> '00000000-0000-0000-0000-000000000000'::uuid)
);
create unique index environments_one_live on environments (merchant_id) where kind = 'LIVE';
create index environments_by_merchant on environments (merchant_id, created_at);

alter table merchants enable row level security;
alter table merchants force row level security;
create policy operator on merchants to jara_app using (in_operator_scope()) with check (in_operator_scope());
create policy lookup on merchants to jara_lookup using (true) with check (true);

alter table environments enable row level security;
alter table environments force row level security;
create policy operator_or_own on environments to jara_app
  using (in_operator_scope() or id = current_environment())
  with check (in_operator_scope());
create policy lookup on environments to jara_lookup using (true) with check (true);

create table api_keys (
  environment_id uuid not null references environments (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  -- The first characters, so that a person can tell keys apart; the key itself is never stored.
  prefix text not null,
  hash bytea not null check (length(hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0),
  allowed_addresses text[] not null default '{}',
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- The key that took this one's place: a key is rotated once.
  replaced_by uuid,
  created_at timestamptz not null,
  list_position bigint not null,
  primary key (environment_id, id),
  unique (environment_id, list_position)
);
-- Looked up before the environment is known, so the hash alone is unique.
create unique index api_keys_by_hash on api_keys (hash);
create index api_keys_by_id on api_keys (id);
call protect_tenant_table('api_keys');

grant select, insert on merchants, environments to jara_app;
grant select, insert, update on api_keys to jara_app;
grant select on merchants, environments, api_keys to jara_lookup;
grant update (last_used_at) on api_keys to jara_lookup;

create function find_api_key(key_hash bytea)
  returns table (
    key_id uuid, environment_id uuid, environment_kind text, merchant_id uuid, scopes text[],
    allowed_addresses text[], expires_at timestamptz, revoked_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select k.id, k.environment_id, e.kind, e.merchant_id, k.scopes, k.allowed_addresses, k.expires_at, k.revoked_at
    from api_keys k join environments e on e.id = k.environment_id
    where k.hash = key_hash;
  end;
alter function find_api_key(bytea) owner to jara_lookup;
revoke execute on function find_api_key(bytea) from public;
grant execute on function find_api_key(bytea) to jara_app;

create function find_key_environment(wanted_key uuid) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select environment_id from api_keys where id = wanted_key;
  end;
alter function find_key_environment(uuid) owner to jara_lookup;
revoke execute on function find_key_environment(uuid) from public;
grant execute on function find_key_environment(uuid) to jara_app;

-- Notes when keys were last used, many at a time and of all environments: the server gathers uses and writes rarely.
create function touch_api_keys(key_ids uuid[], used_at timestamptz[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Rows are locked in the order of their ids, so that two servers writing at once wait for each other.
  perform from api_keys k where k.id = any (key_ids) order by k.id for no key update;
  update api_keys k set last_used_at = u.at
  from unnest(key_ids, used_at) as u (id, at)
  where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at);
end
$$;
alter function touch_api_keys(uuid[], timestamptz[]) owner to jara_lookup;
revoke execute on function touch_api_keys(uuid[], timestamptz[]) from public;
grant execute on function touch_api_keys(uuid[], timestamptz[]) to jara_app;
