-- Refuses an environment that is closed here. A transaction that can write nothing may read what is on its way out. The
-- mover itself goes everywhere.
create or replace function refuse_closed_environment(state text) returns void
  language plpgsql stable as $$
begin
  if state = 'draining' or current_setting('jara.mover', true) = 'on' then
    return;
  end if;
  if state = 'leaving' and current_setting('transaction_read_only') = 'on' then
    return;
  end if;
  raise exception 'the environment is being moved'
    using errcode = case when state = 'leaving' then 'JA002' else 'JA003' end;
end
$$;
