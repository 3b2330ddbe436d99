-- The steps of orders after acceptance are planned once for a connection, and by their keys: every way but that of
-- nested loops over indexes is shut. A plan that was made while the tables were small, or before PostgreSQL had looked
-- at them, would read all rows of an environment for each batch, for as long as it is kept; to plan again for each
-- batch cost more than to run it.

alter function find_waiting_transfer_lanes(text) set plan_cache_mode = force_generic_plan;
alter function find_waiting_transfer_lanes(text) set enable_seqscan = off;
alter function find_waiting_transfer_lanes(text) set enable_bitmapscan = off;
alter function find_waiting_bill_lanes(text) set plan_cache_mode = force_generic_plan;
alter function find_waiting_bill_lanes(text) set enable_seqscan = off;
alter function find_waiting_bill_lanes(text) set enable_bitmapscan = off;

alter function claim_transfers(uuid[], text[], integer[], text[], integer) set plan_cache_mode = force_generic_plan;
alter function claim_transfers(uuid[], text[], integer[], text[], integer) set enable_seqscan = off;
alter function claim_transfers(uuid[], text[], integer[], text[], integer) set enable_hashjoin = off;
alter function claim_transfers(uuid[], text[], integer[], text[], integer) set enable_mergejoin = off;
alter function claim_transfers(uuid[], text[], integer[], text[], integer) set enable_bitmapscan = off;
alter function claim_bills(uuid[], text[], integer[], boolean[], integer) set plan_cache_mode = force_generic_plan;
alter function claim_bills(uuid[], text[], integer[], boolean[], integer) set enable_seqscan = off;
alter function claim_bills(uuid[], text[], integer[], boolean[], integer) set enable_hashjoin = off;
alter function claim_bills(uuid[], text[], integer[], boolean[], integer) set enable_mergejoin = off;
alter function claim_bills(uuid[], text[], integer[], boolean[], integer) set enable_bitmapscan = off;

alter function fan_out_events() set plan_cache_mode = force_generic_plan;
alter function fan_out_events() set enable_seqscan = off;
alter function fan_out_events() set enable_hashjoin = off;
alter function fan_out_events() set enable_mergejoin = off;
alter function fan_out_events() set enable_bitmapscan = off;

-- As before. Where an environment's numbers end is looked up in an object, so that many environments cost no join,
-- and the events are updated where they were found.
create or replace function sequence_events(at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  sequenced integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('jara.sequence_events')) then
    return 0;
  end if;
  with recursive writers as (
    (select e.environment_id from events e where e.list_position is null order by e.environment_id limit 1)
    union all
    select n.environment_id from writers w
    cross join lateral (
      select e.environment_id from events e where e.list_position is null and e.environment_id > w.environment_id
      order by e.environment_id limit 1) as n
  ), live as materialized (
    select f.* from writers w
    join environments n on n.id = w.environment_id and n.kind = 'LIVE'
    cross join lateral (
      select e.ctid as found, e.environment_id, e.sequence from events e
      where e.environment_id = w.environment_id and e.list_position is null
      order by e.sequence limit at_most
      for no key update skip locked) as f
    limit at_most
  ), others as materialized (
    select f.* from (
      select w.environment_id from writers w
      join environments n on n.id = w.environment_id and n.kind <> 'LIVE'
      -- So that many that write much take turns.
      order by random()) as w
    cross join lateral (
      select e.ctid as found, e.environment_id, e.sequence from events e
      where e.environment_id = w.environment_id and e.list_position is null
      order by e.sequence limit greatest(at_most / 5, 1)
      for no key update skip locked) as f
    limit greatest(at_most - (select count(*) from live), 0)
  ), fresh as materialized (
    select * from live union all select * from others
  ), counters as (
    insert into list_counters as c (environment_id, resource, total)
    select f.environment_id, 'events', count(*) from fresh f group by f.environment_id order by f.environment_id
    on conflict (environment_id, resource) do update set total = c.total + excluded.total
    returning c.environment_id, c.total
  ), ends as materialized (
    select jsonb_object_agg(c.environment_id, c.total) as of from counters c
  ), numbered as materialized (
    select f.found, (n.of ->> f.environment_id::text)::bigint + 1
        - row_number() over (partition by f.environment_id order by f.sequence desc) as list_position
    from fresh f cross join ends n
  )
  update events e set list_position = n.list_position
  from numbered n where e.ctid = n.found;
  get diagnostics sequenced = row_count;
  return sequenced;
end
$$;

-- State moves of orders, by compare-and-set. Rows are locked in the order of their ids. That the ids are named twice
-- leaves no plan that reads more rows than those, whichever side of the join comes first.
create function move_transfers(
  moment timestamptz, ids uuid[], from_statuses text[], to_statuses text[], failure_codes text[],
  failure_messages text[])
  returns setof transfers
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  environment constant uuid := current_environment();
begin
  return query
    update transfers t set status = w.to_status, version = t.version + 1, updated_at = moment,
      completed_at = coalesce(t.completed_at, moment), failure_code = w.failure_code,
      failure_message = w.failure_message, claim_at = null
    from unnest(ids, from_statuses, to_statuses, failure_codes, failure_messages)
      as w (id, from_status, to_status, failure_code, failure_message)
    where t.environment_id = environment and t.id = any (ids) and t.id = w.id and t.status = w.from_status
    returning t.*;
end
$$;
revoke execute on function move_transfers(timestamptz, uuid[], text[], text[], text[], text[]) from public;
grant execute on function move_transfers(timestamptz, uuid[], text[], text[], text[], text[]) to jara_app;

create function start_transfers(
  moment timestamptz, ids uuid[], account_names text[], session_ids text[], connection_ids uuid[])
  returns setof transfers
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  environment constant uuid := current_environment();
begin
  return query
    update transfers t set status = 'processing', version = t.version + 1, account_name = w.account_name,
      session_id = w.session_id, connection_id = w.connection_id, sent_at = moment, updated_at = moment
    from unnest(ids, account_names, session_ids, connection_ids) as w (id, account_name, session_id, connection_id)
    where t.environment_id = environment and t.id = any (ids) and t.id = w.id and t.status = 'pending'
    returning t.*;
end
$$;
revoke execute on function start_transfers(timestamptz, uuid[], text[], text[], uuid[]) from public;
grant execute on function start_transfers(timestamptz, uuid[], text[], text[], uuid[]) to jara_app;

create function move_bills(
  moment timestamptz, ids uuid[], from_statuses text[], to_statuses text[], failure_codes text[],
  failure_messages text[], tokens text[], delivered_units numeric[], receipt_numbers text[])
  returns setof bills
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  environment constant uuid := current_environment();
begin
  return query
    update bills b set status = w.to_status, version = b.version + 1, updated_at = moment,
      completed_at = coalesce(b.completed_at, moment), failure_code = w.failure_code,
      failure_message = w.failure_message, token = coalesce(w.token, b.token), units = coalesce(w.units, b.units),
      receipt_number = coalesce(w.receipt_number, b.receipt_number), claim_at = null
    from unnest(ids, from_statuses, to_statuses, failure_codes, failure_messages, tokens, delivered_units,
        receipt_numbers)
      as w (id, from_status, to_status, failure_code, failure_message, token, units, receipt_number)
    where b.environment_id = environment and b.id = any (ids) and b.id = w.id and b.status = w.from_status
    returning b.*;
end
$$;
revoke execute on function move_bills(timestamptz, uuid[], text[], text[], text[], text[], text[], numeric[], text[])
  from public;
grant execute on function move_bills(timestamptz, uuid[], text[], text[], text[], text[], text[], numeric[], text[])
  to jara_app;

-- Of a table that PostgreSQL has not looked at yet it assumes that a tenant has next to no rows. All indexes that
-- begin with the tenant then look the same, and a record that is asked for by its id was looked for along another
-- one, among all rows of the tenant, for as long as the plan was kept. It is told that the rows may all be of one
-- tenant; before version 18 nobody can tell it, and it finds out when autovacuum first looks at the table.
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

do $$
declare
  tenant_table regclass;
begin
  for tenant_table in
    select c.oid from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'environment_id' and not a.attisdropped
    -- Below zero: never looked at.
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples < 0
  loop
    call expect_many_rows_of_a_tenant(tenant_table);
  end loop;
end
$$;

-- As before, for the tables of later migrations too.
create or replace procedure protect_tenant_table(target regclass)
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

-- What changes at every step of an order is swept early, while it is little, and is not looked at while it is so small
-- that to read all of it seems best: that plan would be kept while it grows.
alter table transfers set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_threshold = 5000);
alter table bills set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_threshold = 5000);
alter table events set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_threshold = 5000);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_threshold = 5000);
alter table webhook_attempts set (autovacuum_analyze_threshold = 5000);
alter table ledger_transactions set (autovacuum_analyze_threshold = 5000);
alter table entries set (autovacuum_analyze_threshold = 5000);
