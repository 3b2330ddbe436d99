-- Sets a sandbox's clock and re-times its agenda. `at` is the environment's time, null for what it is now. It enters
-- the environment by itself, and counts as being at work there.
create or replace function set_environment_clock(wanted uuid, new_mode text, at timestamptz, new_seed text,
  will_resume boolean)
  returns timestamptz
  language plpgsql as $$
declare
  clock environment_clocks;
  moment timestamptz;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  if (select e.kind from environments e where e.id = wanted) is distinct from 'SANDBOX' then
    raise exception 'only a sandbox has a clock of its own' using errcode = 'restrict_violation';
  end if;
  insert into environment_clocks (environment_id) values (wanted) on conflict do nothing;
  select * into clock from environment_clocks c where c.environment_id = wanted for update;
  moment := date_trunc('milliseconds', coalesce(at, time_on(clock, clock_timestamp())));
  update environment_clocks c set mode = new_mode, resumes = will_resume,
    touched_at = clock_timestamp(), seed = coalesce(new_seed, c.seed),
    frozen_at = case new_mode when 'frozen' then moment end,
    offset_ms = case new_mode when 'frozen' then 0
      else round(extract(epoch from moment - clock_timestamp()) * 1000)::bigint end
  where c.environment_id = wanted returning * into clock;
  update agenda a set wake_at = case new_mode
    when 'running' then a.due_at - clock.offset_ms * interval '1 millisecond' end
  where a.environment_id = wanted;
  return moment;
end
$$;
grant execute on function set_environment_clock to jara_app;
