-- Hides closed environments from the functions that look across tenants, so that no worker touches what is being moved,
-- and keeps the simulated rails from writing in their books. Called only where there are cells: with one database
-- every plan stays as it is. Keys and pages are found all the while: whose they are does not change by a move, and a
-- caller must be told to come again, not that the key is unknown.
create or replace procedure hide_closed_environments()
  language plpgsql as $$
declare
  target record;
  -- A transaction that has come in may call functions of the look-up role, as those of the ledger. The rest is a
  -- sub-select, of which the planner expects half of the rows. As a comparison it would think that nothing is left,
  -- because it was told to expect many rows of every tenant.
  hidden text := '(%1$I = current_environment() or %1$I not in (select e.id from environments e'
    ' where e.closed is not null and current_setting(''jara.mover'', true) is distinct from ''on''))';
  -- The simulated rails enter by themselves, past the door.
  shut text := '%1$I not in (select e.id from environments e'
    ' where e.closed <> ''draining'' and current_setting(''jara.mover'', true) is distinct from ''on'')';
begin
  perform pg_advisory_xact_lock(hashtext('jara.hide_closed_environments'));
  for target in
    select c.oid::regclass as name, a.attname as tenant, n.nspname <> 'public' as is_simulated,
      n.nspname = 'public' and c.relname in
        ('api_keys', 'checkout_sessions', 'card_links', 'plan_pages', 'plan_visits') as opens_doors
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relrowsecurity
      and ((n.nspname = 'public' and a.attname = 'environment_id')
        or (n.nspname like 'simulated\_%' and a.attname = 'sandbox'))
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'closed')
    order by c.oid
  loop
    if target.opens_doors then
      execute format('create policy closed on %s as restrictive for update to jara_lookup using (%s)',
        target.name, format(hidden, target.tenant));
    elsif target.is_simulated then
      execute format('create policy closed on %s as restrictive for all to jara_app, jara_lookup using (%s)',
        target.name, format(shut, target.tenant));
    else
      execute format('create policy closed on %s as restrictive for all to jara_lookup using (%s)',
        target.name, format(hidden, target.tenant));
    end if;
  end loop;
end
$$;
