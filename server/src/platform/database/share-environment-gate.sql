-- A writer never waits at the gate with a connection in its hand: it is turned away, and waits outside.
create or replace function share_environment_gate(wanted uuid) returns void
  language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(environment_gate(wanted)) then
    raise exception 'the sandbox is being emptied' using errcode = 'JA001';
  end if;
end
$$;
grant execute on function share_environment_gate to jara_app;
