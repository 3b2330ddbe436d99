-- Takes `wanted` consecutive numbers and returns the first.
create or replace function take_list_positions(list_resource text, wanted bigint) returns bigint
  language sql
  begin atomic
    insert into list_counters as counter (environment_id, resource, total)
    values (current_environment(), list_resource, wanted)
    on conflict (environment_id, resource) do update set total = counter.total + excluded.total
    returning counter.total - wanted + 1;
  end;
grant execute on function take_list_positions to jara_app;
