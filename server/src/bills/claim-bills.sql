-- Takes bills that wait for a worker, so many of each lane. The step to `processing` is committed here, before anybody
-- calls the biller; `fresh` tells the worker that it may vend, everything else must be asked about first.
create or replace function claim_bills(
  lane_environments uuid[], lane_providers text[], lane_takes integer[], lane_starts boolean[],
  lease_seconds integer)
  returns table (environment_id uuid, fresh boolean, id uuid, reference text, category text, provider text,
    product_code text, product_name text, customer text, customer_name text, phone_number text, meter_type text,
    subscription_type text, amount bigint, fee bigint, commission bigint, catalogue_version integer, status text,
    version integer, token text, units numeric, receipt_number text, failure_code text, failure_message text,
    created_at timestamptz, updated_at timestamptz, completed_at timestamptz, source_account_id uuid,
    connection_id uuid, request_id text)
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with picked as materialized (
      select p.* from unnest(lane_environments, lane_providers, lane_takes, lane_starts)
        as l (environment_id, provider, take, starts)
      cross join lateral (
        select b.ctid as found, b.environment_id, l.starts and b.status = 'pending' as now_sent
        from bills b
        where b.environment_id = l.environment_id and b.provider = l.provider and b.claim_at <= moment
        order by b.claim_at
        limit l.take
        for update skip locked) p
    ), timed as (
      select p.found, p.now_sent,
        case when c.mode = 'frozen' then c.frozen_at
          else moment + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end as now
      from picked p left join environment_clocks c on c.environment_id = p.environment_id
    )
    update bills b set
      claim_at = moment + make_interval(secs => lease_seconds),
      status = case when w.now_sent then 'processing' else b.status end,
      version = case when w.now_sent then b.version + 1 else b.version end,
      request_id = case when w.now_sent then b.id::text else b.request_id end,
      sent_at = case when w.now_sent then w.now else b.sent_at end,
      updated_at = case when w.now_sent then w.now else b.updated_at end
    from timed w
    -- A row that changed between being found and being locked is left for the next round.
    where b.ctid = w.found
    returning b.environment_id, w.now_sent, b.id, b.reference, b.category, b.provider, b.product_code, b.product_name,
      b.customer, b.customer_name, b.phone_number, b.meter_type, b.subscription_type, b.amount, b.fee, b.commission,
      b.catalogue_version, b.status, b.version, b.token, b.units, b.receipt_number, b.failure_code, b.failure_message,
      b.created_at, b.updated_at, b.completed_at, b.source_account_id, b.connection_id, b.request_id;
end
$$;
alter function claim_bills owner to jara_lookup;
revoke execute on function claim_bills from public;
grant execute on function claim_bills to jara_app;
