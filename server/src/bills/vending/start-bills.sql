-- Waiting bills go to their billers: connection, request id and state in one step.
create or replace function start_bills(
  moment timestamptz, ids uuid[], request_ids text[], connection_ids uuid[]) returns setof bills
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  environment constant uuid := current_environment();
begin
  return query
    update bills b set status = 'processing', version = b.version + 1, request_id = w.request_id,
      connection_id = w.connection_id, sent_at = moment, updated_at = moment
    from unnest(ids, request_ids, connection_ids) as w (id, request_id, connection_id)
    where b.environment_id = environment and b.id = any (ids) and b.id = w.id and b.status = 'pending'
    returning b.*;
end
$$;
revoke execute on function start_bills from public;
grant execute on function start_bills to jara_app;
