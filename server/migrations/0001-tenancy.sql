-- Two roles without login. jara_app is what the server works as: it owns nothing and row level security binds it.
-- jara_lookup owns the few functions that must look across environments, each listed and tested by name.
-- Roles belong to the whole cluster, so another database of the same cluster may have made them already, or be
-- making them at this moment.
do $$
declare
  wanted text;
  -- From PostgreSQL 16 on, whoever creates a role is its member without the right to act as it.
  needed text := case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end;
begin
  foreach wanted in array array['jara_app', 'jara_lookup'] loop
    -- An administrator may have made the roles beforehand, for an owner that must not create any.
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin', wanted);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
    -- The migrating login hands functions over to jara_lookup, and where it also serves requests, steps down to
    -- jara_app. Both need membership.
    if not pg_has_role(current_user, wanted, needed) then
      execute format('grant %I to %I', wanted, current_user);
    end if;
  end loop;
end
$$;

grant usage on schema public to jara_app, jara_lookup;
-- The server tells by it whether it may serve already.
grant select on schema_migrations to jara_app;
-- PostgreSQL lets a function change hands only to a role that may create in the schema.
grant create on schema public to jara_lookup;

-- The environment that the running transaction has entered, or null. A pooled connection keeps an empty string
-- after a transaction-local setting ends, hence the nullif.
create function current_environment() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('jara.environment_id', true), '')::uuid;

-- The operator works in the nil environment: it sees merchants and environments, and no tenant's rows.
create function in_operator_scope() returns boolean
  language sql stable parallel safe
  return current_environment() = '00000000-0000-0000-0000-000000000000'::uuid;

-- The tables that the sign-in library fills (people, their sessions, credentials and verifications) are read before any
-- environment is known: their wall lets in what has entered none, and keeps every tenant out.
create function outside_tenants() returns boolean
  language sql stable parallel safe
  return current_environment() is null or in_operator_scope();

-- Of a table that PostgreSQL has not looked at yet it assumes that a tenant has next to no rows. All indexes that begin
-- with the tenant then look the same, and a record that is asked for by its id is looked for along another one, among
-- all rows of the tenant, for as long as the plan is kept. It is told that the rows may all be of one tenant; before
-- version 18 nobody can tell it, and it finds out when autovacuum first looks at the table.
create procedure expect_many_rows_of_a_tenant(target regclass)
  language plpgsql as $$
begin
  if current_setting('server_version_num')::integer < 180000 then
    return;
  end if;
  perform pg_restore_attribute_stats('schemaname', n.nspname::text, 'relname', c.relname::text,
    'attname', 'environment_id', 'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = target;
end
$$;

-- Gives a tenant table its wall: forced row level security, the tenant policy for the application, and a policy of
-- its own for the look-up role.
create procedure protect_tenant_table(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to jara_app using (environment_id = current_environment()) with check (environment_id = current_environment())',
    target);
  execute format('create policy lookup on %s to jara_lookup using (true) with check (true)', target);
  -- The reset of a sandbox empties every tenant table, also those that come later.
  execute format('grant select, delete on %s to jara_lookup', target);
  call expect_many_rows_of_a_tenant(target);
end
$$;

-- Refuses update and delete on append-only tables.
create function refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

create table merchants (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 320),
  created_at timestamptz not null,
  list_position bigint not null unique
);
alter table merchants enable row level security;
alter table merchants force row level security;
create policy lookup on merchants to jara_lookup using (true) with check (true);
create policy operator on merchants to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert on merchants to jara_app;
grant select on merchants to jara_lookup;

create table environments (
  id uuid primary key check (id <> '00000000-0000-0000-0000-000000000000'::uuid),
  merchant_id uuid not null references merchants (id),
  kind text not null check (kind in ('SANDBOX', 'LIVE')),
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null
);
create index environments_by_merchant on environments (merchant_id, created_at);
create unique index environments_one_live on environments (merchant_id) where kind = 'LIVE';
alter table environments enable row level security;
alter table environments force row level security;
create policy lookup on environments to jara_lookup using (true) with check (true);
create policy operator_or_own on environments to jara_app
  using (in_operator_scope() or id = current_environment()) with check (in_operator_scope());
grant select, insert on environments to jara_app;
grant select on environments to jara_lookup;

-- How a merchant appears on the pages that its customers see: a name, and a logo that is served from our own address.
-- One row an environment, so that a sandbox's key changes nothing of what live customers see.
create table merchant_profiles (
  environment_id uuid primary key references environments (id),
  display_name text check (length(display_name) between 1 and 60),
  logo bytea check (length(logo) between 1 and 65536),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  updated_at timestamptz not null,
  check ((logo is null) = (logo_type is null))
);
call protect_tenant_table('merchant_profiles');
grant select, insert, update on merchant_profiles to jara_app;

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
grant select, insert, update on api_keys to jara_app;
grant update (last_used_at) on api_keys to jara_lookup;
