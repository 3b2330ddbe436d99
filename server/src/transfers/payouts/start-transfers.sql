-- Waiting payouts go to their banks: the name of the holder, session id, connection and state in one step.
create or replace function start_transfers(
  moment timestamptz, ids uuid[], account_names text[], session_ids text[], connection_ids uuid[])
  returns setof transfers
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  environment constant uuid := current_environment();
begin
  return query
    update transfers t set status = 'processing', version = t.version + 1, account_name = w.account_name,
      session_id = w.session_id, connection_id = w.connection_id, sent_at = moment, updated_at = moment
    from unnest(ids, account_names, session_ids, connection_ids) as w (id, account_name, session_id, connection_id)
    where t.environment_id = environment and t.id = any (ids) and t.id = w.id and t.status = 'pending'
    returning t.*;
end
$$;
revoke execute on function start_transfers from public;
grant execute on function start_transfers to jara_app;
