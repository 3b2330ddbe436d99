-- Lanes of environments of one kind that have a payout due, with the time of the one that has waited longest. It jumps
-- from lane to lane through the index. Each jump is ordered by the index's columns, so that no other index will do.
create or replace function find_waiting_transfer_lanes(wanted_kind text)
  returns table (environment_id uuid, bank_code text, waiting_since timestamptz)
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with recursive places as (
      (select t.environment_id from transfers t where t.claim_at is not null
        order by t.environment_id, t.bank_code, t.claim_at limit 1)
      union all
      select n.environment_id from places p cross join lateral (
        select t.environment_id from transfers t
        where t.claim_at is not null and t.environment_id > p.environment_id
        order by t.environment_id, t.bank_code, t.claim_at limit 1) n
    )
    select p.environment_id, l.bank_code, l.claim_at
    from places p
    join environments e on e.id = p.environment_id and e.kind = wanted_kind
    cross join lateral (
      with recursive lanes as (
        (select t.bank_code, t.claim_at from transfers t
          where t.environment_id = p.environment_id and t.claim_at is not null
          order by t.bank_code, t.claim_at limit 1)
        union all
        select n.bank_code, n.claim_at from lanes l cross join lateral (
          select t.bank_code, t.claim_at from transfers t
          where t.environment_id = p.environment_id and t.claim_at is not null and t.bank_code > l.bank_code
          order by t.bank_code, t.claim_at limit 1) n
      )
      select lanes.bank_code, lanes.claim_at from lanes where lanes.claim_at <= moment) l;
end
$$;
alter function find_waiting_transfer_lanes owner to jara_lookup;
revoke execute on function find_waiting_transfer_lanes from public;
grant execute on function find_waiting_transfer_lanes to jara_app;
