-- Whoever looks for a rail asks: the few holds are read together, for all sandboxes.
create or replace function read_sandbox_rail_holds(at_most integer)
  returns table (environment_id uuid, port text, reason text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select h.environment_id, h.port, h.reason from sandbox_rail_holds h limit at_most;
  end;
alter function read_sandbox_rail_holds owner to jara_lookup;
revoke execute on function read_sandbox_rail_holds from public;
grant execute on function read_sandbox_rail_holds to jara_app;
