-- What an environment's clock shows at a moment of real time. A LIVE environment has no clock, and null gives the
-- moment itself. It takes the clock's row and not the environment's id, so that PostgreSQL puts its body into the query
-- instead of calling it for each row.
create or replace function time_on(clock environment_clocks, moment timestamptz) returns timestamptz
  language sql stable begin atomic
  select case clock.mode when 'frozen' then clock.frozen_at
    else moment + coalesce(clock.offset_ms, 0) * interval '1 millisecond' end;
end;
grant execute on function time_on to jara_app, jara_lookup;
