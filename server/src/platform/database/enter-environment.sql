-- Enters an environment for the rest of the transaction and answers with its clock. A writer in a frozen sandbox takes
-- the next number and holds the clock's row until it ends: writes there happen one after another.
create or replace function enter_environment(wanted uuid, writes boolean, numbered boolean)
  returns table (mode text, offset_ms bigint, frozen_at timestamptz, seed text, transaction_number bigint, kind text)
  language plpgsql as $$
declare
  found_clock environment_clocks;
  found_kind text;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  select e.kind into found_kind from environments e where e.id = wanted;
  if writes then
    perform share_environment_gate(wanted);
  end if;
  select * into found_clock from environment_clocks c where c.environment_id = wanted;
  if found_clock.mode = 'frozen' and writes then
    if numbered then
      update environment_clocks c set transaction_number = c.transaction_number + 1, touched_at = clock_timestamp()
      where c.environment_id = wanted and c.mode = 'frozen'
      returning * into found_clock;
    else
      select * into found_clock from environment_clocks c
      where c.environment_id = wanted and c.mode = 'frozen' for no key update;
    end if;
    if not found then
      -- The clock was set running while we waited for its row.
      select * into found_clock from environment_clocks c where c.environment_id = wanted;
    end if;
  end if;
  return query select coalesce(found_clock.mode, 'running'), coalesce(found_clock.offset_ms, 0),
    found_clock.frozen_at, found_clock.seed, coalesce(found_clock.transaction_number, 0), found_kind;
end
$$;
revoke execute on function enter_environment from public;
grant execute on function enter_environment to jara_app;
