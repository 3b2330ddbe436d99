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
end
$$;

-- Refuses update and delete on append-only tables.
create function refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
