-- Moves bills from one state to another, by compare-and-set, and counts what became final. Rows are locked in the order
-- of their ids.
create or replace function move_bills(moment timestamptz, ids uuid[], from_statuses text[], to_statuses text[],
    failure_codes text[], failure_messages text[], tokens text[], delivered_units numeric[], receipt_numbers text[])
  returns setof bills
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  environment constant uuid := current_environment();
begin
  return query
    with moved as (
      update bills b set status = w.to_status, version = b.version + 1, updated_at = moment,
        completed_at = coalesce(b.completed_at, moment), failure_code = w.failure_code,
        failure_message = w.failure_message, token = coalesce(w.token, b.token), units = coalesce(w.units, b.units),
        receipt_number = coalesce(w.receipt_number, b.receipt_number), claim_at = null
      from unnest(ids, from_statuses, to_statuses, failure_codes, failure_messages, tokens, delivered_units,
          receipt_numbers)
        as w (id, from_status, to_status, failure_code, failure_message, token, units, receipt_number)
      where b.environment_id = environment and b.id = any (ids) and b.id = w.id and b.status = w.from_status
      returning b.*
    ), counted as (
      insert into list_count_deltas (environment_id, resource, status, minute, change)
      select environment, 'bills', c.status, minute_of(m.created_at), sum(c.change)
      from moved m cross join lateral (
        select m.status, 1 union all select 'successful', -1 where m.status = 'reversed') as c (status, change)
      group by c.status, minute_of(m.created_at)
    )
    select m.* from moved m;
end
$$;
revoke execute on function move_bills from public;
grant execute on function move_bills to jara_app;
