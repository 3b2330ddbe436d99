create or replace function find_request_environments(wanted text) returns table (environment_id uuid)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select distinct r.environment_id from api_requests r where r.request_id = wanted and in_operator_scope();
end;
alter function find_request_environments owner to jara_lookup;
revoke execute on function find_request_environments from public;
grant execute on function find_request_environments to jara_app;
