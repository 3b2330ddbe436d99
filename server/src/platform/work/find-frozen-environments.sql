-- Which of these environments stand still. A worker leaves their work to whoever moves their clock.
create or replace function find_frozen_environments(candidates uuid[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id from environment_clocks c
    where c.environment_id = any (candidates) and c.mode = 'frozen';
  end;
alter function find_frozen_environments owner to jara_lookup;
revoke execute on function find_frozen_environments from public;
grant execute on function find_frozen_environments to jara_app;
