-- A connection is one account of ours at a provider. An order is bound to one in the transaction that takes it to
-- `processing`, and stays with it. Orders of the simulated rails are bound to none.
alter table transfers add column connection_id uuid;
alter table bills add column connection_id uuid;
-- By which the biller knows the bill. Its rail says how it wants ids, so they are made when an order goes out.
alter table bills add column request_id text;
update bills set request_id = id::text where status <> 'pending';
alter table bills add constraint bills_request_id
  check (status in ('pending', 'failed') or request_id is not null);

-- A provider names an order by our session or request id only.
create index transfers_of_connection on transfers (connection_id, session_id) where connection_id is not null;
create index bills_of_connection on bills (connection_id, request_id) where connection_id is not null;

-- As before, except that a lane says whether its orders may start here: with a sender's code for their sessions, or
-- without one not. Where a provider is connected they start one by one, when it is known which connection takes them.
drop function claim_transfers(uuid[], text[], integer[], integer, text);
create function claim_transfers(
  lane_environments uuid[], lane_banks text[], lane_takes integer[], lane_senders text[],
  lease_seconds integer)
  returns table (environment_id uuid, fresh boolean, id uuid, purpose text, reference text, external_reference text,
    batch_id uuid, source_account_id uuid, account_number text, account_name text, expected_name text, bank_code text,
    amount bigint, fee bigint, vat bigint, stamp_duty bigint, narration text, metadata json, status text,
    version integer, session_id text, failure_code text, failure_message text, created_at timestamptz,
    updated_at timestamptz, completed_at timestamptz, connection_id uuid)
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with picked as materialized (
      select p.* from unnest(lane_environments, lane_banks, lane_takes, lane_senders)
        as l (environment_id, bank_code, take, sender)
      cross join lateral (
        select t.ctid as found, t.environment_id, l.sender,
          l.sender is not null and t.status = 'pending' and t.account_name is not null as now_sent
        from transfers t
        where t.environment_id = l.environment_id and t.bank_code = l.bank_code and t.claim_at <= moment
        order by t.claim_at
        limit l.take
        for update skip locked) p
    ), timed as (
      select p.found, p.now_sent, p.sender,
        case when c.mode = 'frozen' then c.frozen_at
          else moment + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end as now
      from picked p left join environment_clocks c on c.environment_id = p.environment_id
    )
    update transfers t set
      claim_at = moment + make_interval(secs => lease_seconds),
      status = case when w.now_sent then 'processing' else t.status end,
      version = case when w.now_sent then t.version + 1 else t.version end,
      session_id = case when w.now_sent then
          w.sender || to_char(w.now at time zone 'Africa/Lagos', 'YYMMDDHH24MISS')
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
      t.created_at, t.updated_at, t.completed_at, t.connection_id;
end
$$;
alter function claim_transfers(uuid[], text[], integer[], text[], integer) owner to jara_lookup;
revoke execute on function claim_transfers(uuid[], text[], integer[], text[], integer) from public;
grant execute on function claim_transfers(uuid[], text[], integer[], text[], integer) to jara_app;

drop function claim_bills(uuid[], text[], integer[], integer);
create function claim_bills(
  lane_environments uuid[], lane_providers text[], lane_takes integer[], lane_starts boolean[],
  lease_seconds integer)
  returns table (environment_id uuid, fresh boolean, id uuid, reference text, category text, provider text,
    product_code text, product_name text, customer text, customer_name text, phone_number text, meter_type text,
    subscription_type text, amount bigint, fee bigint, commission bigint, catalogue_version integer, status text,
    version integer, token text, units numeric, receipt_number text, failure_code text, failure_message text,
    created_at timestamptz, updated_at timestamptz, completed_at timestamptz, source_account_id uuid,
    connection_id uuid, request_id text)
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan as $$
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
alter function claim_bills(uuid[], text[], integer[], boolean[], integer) owner to jara_lookup;
revoke execute on function claim_bills(uuid[], text[], integer[], boolean[], integer) from public;
grant execute on function claim_bills(uuid[], text[], integer[], boolean[], integer) to jara_app;
