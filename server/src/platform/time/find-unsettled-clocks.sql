-- Stopped clocks that somebody must look after: an advance that was killed (it would have resumed), or due entries that
-- a killed process left behind. A request under way settles its own work, so only what stands idle counts.
create or replace function find_unsettled_clocks(at_most integer)
  returns table (environment_id uuid, resumes boolean)
  language sql stable security definer set search_path = public, pg_temp begin atomic
  select c.environment_id, c.resumes from environment_clocks c
  where c.mode = 'frozen' and (c.resumes
    or (c.touched_at is null or c.touched_at < clock_timestamp() - interval '2 seconds')
      and exists (select from agenda a where a.environment_id = c.environment_id and a.due_at <= c.frozen_at))
  order by c.environment_id
  limit at_most;
end;
alter function find_unsettled_clocks owner to jara_lookup;
revoke execute on function find_unsettled_clocks from public;
grant execute on function find_unsettled_clocks to jara_app;
