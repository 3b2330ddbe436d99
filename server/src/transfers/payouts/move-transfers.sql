-- Moves payouts from one state to another, by compare-and-set, and counts what became final. Of final states only the
-- one that the money left is left again, for `reversed`. Rows are locked in the order of their ids. That the ids are
-- named twice leaves no plan that reads more rows than those, whichever side of the join comes first.
create or replace function move_transfers(moment timestamptz, ids uuid[], from_statuses text[], to_statuses text[],
    failure_codes text[], failure_messages text[]) returns setof transfers
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  environment constant uuid := current_environment();
begin
  return query
    with moved as (
      update transfers t set status = w.to_status, version = t.version + 1, updated_at = moment,
        completed_at = coalesce(t.completed_at, moment), failure_code = w.failure_code,
        failure_message = w.failure_message, claim_at = null
      from unnest(ids, from_statuses, to_statuses, failure_codes, failure_messages)
        as w (id, from_status, to_status, failure_code, failure_message)
      where t.environment_id = environment and t.id = any (ids) and t.id = w.id and t.status = w.from_status
      returning t.*
    ), counted as (
      insert into list_count_deltas (environment_id, resource, status, minute, change)
      select environment, 'transfers', c.status, minute_of(m.created_at), sum(c.change)
      from moved m cross join lateral (
        select m.status, 1 union all select 'completed', -1 where m.status = 'reversed') as c (status, change)
      where m.purpose = 'payout'
      group by c.status, minute_of(m.created_at)
    )
    select m.* from moved m;
end
$$;
revoke execute on function move_transfers from public;
grant execute on function move_transfers to jara_app;
