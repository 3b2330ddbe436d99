-- Advances whose process has not been heard of for a while: whoever finds them goes on.
create or replace function find_waiting_advances(silent_seconds integer, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp begin atomic
  select a.environment_id, a.id from clock_advances a
  where a.state in ('waiting', 'running') and a.heard_at < clock_timestamp() - make_interval(secs => silent_seconds)
  order by a.asked_at limit at_most;
end;
alter function find_waiting_advances owner to jara_lookup;
revoke execute on function find_waiting_advances from public;
grant execute on function find_waiting_advances to jara_app;
