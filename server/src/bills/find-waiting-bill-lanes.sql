-- Lanes of environments of one kind that have a bill due, with the time of the one that has waited longest. A lane is
-- an environment's bills with one provider. It jumps from lane to lane through the index.
create or replace function find_waiting_bill_lanes(wanted_kind text)
  returns table (environment_id uuid, provider text, waiting_since timestamptz)
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with recursive places as (
      (select b.environment_id from bills b where b.claim_at is not null
        order by b.environment_id, b.provider, b.claim_at limit 1)
      union all
      select n.environment_id from places p cross join lateral (
        select b.environment_id from bills b
        where b.claim_at is not null and b.environment_id > p.environment_id
        order by b.environment_id, b.provider, b.claim_at limit 1) n
    )
    select p.environment_id, l.provider, l.claim_at
    from places p
    join environments e on e.id = p.environment_id and e.kind = wanted_kind
    cross join lateral (
      with recursive lanes as (
        (select b.provider, b.claim_at from bills b
          where b.environment_id = p.environment_id and b.claim_at is not null
          order by b.provider, b.claim_at limit 1)
        union all
        select n.provider, n.claim_at from lanes l cross join lateral (
          select b.provider, b.claim_at from bills b
          where b.environment_id = p.environment_id and b.claim_at is not null and b.provider > l.provider
          order by b.provider, b.claim_at limit 1) n
      )
      select lanes.provider, lanes.claim_at from lanes where lanes.claim_at <= moment) l;
end
$$;
alter function find_waiting_bill_lanes owner to jara_lookup;
revoke execute on function find_waiting_bill_lanes from public;
grant execute on function find_waiting_bill_lanes to jara_app;
