-- Empties a sandbox: every tenant table, also those that later migrations add, and the books of the simulated rails.
-- Keys stay, so does the counter of their list; the clock goes back to real time, and nobody has worked in it yet.
-- Whoever calls opens the wallets anew in the same transaction. Answers how many rows went. Locks: the environment's
-- gate, so that no writer of this sandbox is half-way; the counters of its lists, and the folder, which works on all
-- environments without passing the gate.
create or replace function reset_sandbox(wanted uuid) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  remaining regclass[];
  ready regclass[];
  target regclass;
  touched bigint;
  removed bigint := 0;
begin
  if (select e.kind from environments e where e.id = wanted) is distinct from 'SANDBOX' then
    raise exception 'only a sandbox can be reset' using errcode = 'restrict_violation';
  end if;
  if wanted is distinct from current_environment() then
    raise exception 'a sandbox is reset from inside' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(environment_gate(wanted));
  perform pg_advisory_xact_lock(hashtext('jara.fold_account_deltas'));
  -- Whoever numbers our events at this moment is waited for; from then on they are passed over.
  insert into list_counters (environment_id, resource, total) values (wanted, 'events', 0) on conflict do nothing;
  perform from list_counters c where c.environment_id = wanted and c.resource = 'events' for update;

  select array_agg(c.oid::regclass) into remaining
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = 'public'
    and exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'environment_id' and not a.attisdropped)
    and c.oid <> all (array['api_keys', 'environment_clocks', 'list_counters']::regclass[]);
  -- Rows that others refer to go after those that refer to them.
  while cardinality(remaining) > 0 loop
    select array_agg(r.t order by r.t::text) into ready from unnest(remaining) as r (t)
    where not exists (select from pg_constraint k
      where k.contype = 'f' and k.confrelid = r.t and k.conrelid <> r.t and k.conrelid = any (remaining));
    if ready is null then
      raise exception 'these tables refer to each other in a circle: %', remaining;
    end if;
    foreach target in array ready loop
      execute format('delete from %s where environment_id = $1', target) using wanted;
      get diagnostics touched = row_count;
      removed := removed + touched;
    end loop;
    remaining := array(select r.t from unnest(remaining) as r (t) where r.t <> all (ready));
  end loop;

  for target in
    select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname like 'simulated\_%'
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'sandbox' and not a.attisdropped)
  loop
    execute format('delete from %s where sandbox = $1', target) using wanted;
    get diagnostics touched = row_count;
    removed := removed + touched;
  end loop;

  delete from list_counters c where c.environment_id = wanted and c.resource <> 'api_keys';
  update environment_clocks c set mode = 'running', offset_ms = 0, frozen_at = null, seed = null,
    transaction_number = 0, resumes = false, touched_at = null
  where c.environment_id = wanted;
  return removed;
end
$$;
alter function reset_sandbox owner to jara_lookup;
revoke execute on function reset_sandbox from public;
grant execute on function reset_sandbox to jara_app;
