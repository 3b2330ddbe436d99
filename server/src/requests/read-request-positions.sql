create or replace function read_request_positions(wanted uuid[]) returns table (environment_id uuid, "position" bigint)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select e.id, (select max(r.position) from api_requests r where r.environment_id = e.id)
  from unnest(wanted) as e (id);
end;
alter function read_request_positions owner to jara_lookup;
revoke execute on function read_request_positions from public;
grant execute on function read_request_positions to jara_app;
