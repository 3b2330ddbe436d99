-- The owner of a sandbox plays a provider that takes no orders at the moment: its float is empty, its keys are refused.
create table sandbox_rail_holds (
  environment_id uuid not null references environments (id),
  port text not null check (port in ('bank', 'biller')),
  reason text not null,
  primary key (environment_id, port)
);
call protect_tenant_table('sandbox_rail_holds');
grant select, insert, update, delete on sandbox_rail_holds to jara_app;

-- Whoever looks for a rail asks: the few holds are read together, for all sandboxes.
create function read_sandbox_rail_holds(at_most integer) returns table (environment_id uuid, port text, reason text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select h.environment_id, h.port, h.reason from sandbox_rail_holds h limit at_most;
  end;
alter function read_sandbox_rail_holds(integer) owner to jara_lookup;
revoke execute on function read_sandbox_rail_holds(integer) from public;
grant execute on function read_sandbox_rail_holds(integer) to jara_app;
