-- What providers have told about orders, by our ids or by theirs.
create or replace function list_rail_traces(
  wanted_connection uuid, wanted_port text, order_ids text[], provider_references text[], at_most integer)
  returns table (order_id text, provider_reference text, fee bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select t.order_id, t.provider_reference, t.fee from rail_traces t
    where t.connection_id = wanted_connection and t.port = wanted_port
      and (t.order_id = any (order_ids) or t.provider_reference = any (provider_references))
    limit at_most;
  end;
alter function list_rail_traces owner to jara_lookup;
revoke execute on function list_rail_traces from public;
grant execute on function list_rail_traces to jara_app;
