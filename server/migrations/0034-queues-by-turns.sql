-- The queues of payouts and bills are read by lanes: an environment's work for one bank, or one provider. A worker
-- looks which lanes have something due, shares its places out among the environments (claim-rounds.ts), and then takes
-- that much from each. Both steps cost by the number of lanes, not by the length of any of them.
drop function claim_transfers(integer, integer, text, text, text[]);
drop index transfers_by_claim;
create index transfers_by_lane on transfers (environment_id, bank_code, claim_at) where claim_at is not null;

drop function claim_bills(integer, integer, text[]);
drop index bills_by_claim;
create index bills_by_lane on bills (environment_id, provider, claim_at) where claim_at is not null;

-- Lanes of environments of one kind that have a payout due, with the time of the one that has waited longest. It jumps
-- from lane to lane through the index. Each jump is ordered by the index's columns, so that no other index will do.
create function find_waiting_transfer_lanes(wanted_kind text)
  returns table (environment_id uuid, bank_code text, waiting_since timestamptz)
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan as $$
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
alter function find_waiting_transfer_lanes(text) owner to jara_lookup;
revoke execute on function find_waiting_transfer_lanes(text) from public;
grant execute on function find_waiting_transfer_lanes(text) to jara_app;

-- Takes payouts that wait for a worker, so many of each lane. Where the holder is known already, the step to
-- `processing` and the session id are committed here, before anybody calls the bank; `fresh` tells the worker that it
-- may send, everything else must be asked about first. The lease brings a payout back if its worker dies. A row that
-- the worker hands to the agenda, or ends, gives claim_at up. The rows come back whole: nobody reads them again.
create function claim_transfers(
  lane_environments uuid[], lane_banks text[], lane_takes integer[], lease_seconds integer, sender text)
  returns table (environment_id uuid, fresh boolean, id uuid, purpose text, reference text, external_reference text,
    batch_id uuid, source_account_id uuid, account_number text, account_name text, expected_name text, bank_code text,
    amount bigint, fee bigint, vat bigint, stamp_duty bigint, narration text, metadata json, status text,
    version integer, session_id text, failure_code text, failure_message text, created_at timestamptz,
    updated_at timestamptz, completed_at timestamptz)
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with picked as materialized (
      select p.* from unnest(lane_environments, lane_banks, lane_takes) as l (environment_id, bank_code, take)
      cross join lateral (
        select t.ctid as found, t.environment_id, t.status = 'pending' and t.account_name is not null as now_sent
        from transfers t
        where t.environment_id = l.environment_id and t.bank_code = l.bank_code and t.claim_at <= moment
        order by t.claim_at
        limit l.take
        for update skip locked) p
    ), timed as (
      select p.found, p.now_sent,
        case when c.mode = 'frozen' then c.frozen_at
          else moment + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end as now
      from picked p left join environment_clocks c on c.environment_id = p.environment_id
    )
    update transfers t set
      claim_at = moment + make_interval(secs => lease_seconds),
      status = case when w.now_sent then 'processing' else t.status end,
      version = case when w.now_sent then t.version + 1 else t.version end,
      session_id = case when w.now_sent then
          sender || to_char(w.now at time zone 'Africa/Lagos', 'YYMMDDHH24MISS')
          || lpad((nextval('transfer_session_numbers') % 1000000000000)::text, 12, '0')
        else t.session_id end,
      sent_at = case when w.now_sent then w.now else t.sent_at end,
      updated_at = case when w.now_sent then w.now else t.updated_at end
    from timed w
    -- A row that changed between being found and being locked is left for the next round.
    where t.ctid = w.found
    returning t.environment_id, w.now_sent, t.id, t.purpose, t.reference, t.external_reference, t.batch_id,
      t.source_account_id, t.account_number, t.account_name, t.expected_name, t.bank_code, t.amount, t.fee, t.vat,
      t.stamp_duty, t.narration, t.metadata, t.status, t.version, t.session_id, t.failure_code, t.failure_message,
      t.created_at, t.updated_at, t.completed_at;
end
$$;
alter function claim_transfers(uuid[], text[], integer[], integer, text) owner to jara_lookup;
revoke execute on function claim_transfers(uuid[], text[], integer[], integer, text) from public;
grant execute on function claim_transfers(uuid[], text[], integer[], integer, text) to jara_app;

-- The same for bills, whose lanes are an environment's bills with one provider.
create function find_waiting_bill_lanes(wanted_kind text)
  returns table (environment_id uuid, provider text, waiting_since timestamptz)
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan as $$
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
alter function find_waiting_bill_lanes(text) owner to jara_lookup;
revoke execute on function find_waiting_bill_lanes(text) from public;
grant execute on function find_waiting_bill_lanes(text) to jara_app;

-- The step to `processing` is committed here, before anybody calls the biller; `fresh` tells the worker that it may
-- vend, everything else must be asked about first.
create function claim_bills(
  lane_environments uuid[], lane_providers text[], lane_takes integer[], lease_seconds integer)
  returns table (environment_id uuid, fresh boolean, id uuid, reference text, category text, provider text,
    product_code text, product_name text, customer text, customer_name text, phone_number text, meter_type text,
    subscription_type text, amount bigint, fee bigint, commission bigint, catalogue_version integer, status text,
    version integer, token text, units numeric, receipt_number text, failure_code text, failure_message text,
    created_at timestamptz, updated_at timestamptz, completed_at timestamptz)
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with picked as materialized (
      select p.* from unnest(lane_environments, lane_providers, lane_takes) as l (environment_id, provider, take)
      cross join lateral (
        select b.ctid as found, b.environment_id, b.status = 'pending' as now_sent
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
      sent_at = case when w.now_sent then w.now else b.sent_at end,
      updated_at = case when w.now_sent then w.now else b.updated_at end
    from timed w
    -- A row that changed between being found and being locked is left for the next round.
    where b.ctid = w.found
    returning b.environment_id, w.now_sent, b.id, b.reference, b.category, b.provider, b.product_code, b.product_name,
      b.customer, b.customer_name, b.phone_number, b.meter_type, b.subscription_type, b.amount, b.fee, b.commission,
      b.catalogue_version, b.status, b.version, b.token, b.units, b.receipt_number, b.failure_code, b.failure_message,
      b.created_at, b.updated_at, b.completed_at;
end
$$;
alter function claim_bills(uuid[], text[], integer[], integer) owner to jara_lookup;
revoke execute on function claim_bills(uuid[], text[], integer[], integer) from public;
grant execute on function claim_bills(uuid[], text[], integer[], integer) to jara_app;
