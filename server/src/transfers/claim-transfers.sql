-- Takes payouts that wait for a worker, so many of each lane. Where the holder is known already, the step to
-- `processing` and the session id are committed here, before anybody calls the bank; `fresh` tells the worker that it
-- may send, everything else must be asked about first. The lease brings a payout back if its worker dies. A row that
-- the worker hands to the agenda, or ends, gives claim_at up. The rows come back whole: nobody reads them again.
create or replace function claim_transfers(
  lane_environments uuid[], lane_banks text[], lane_takes integer[], lane_senders text[],
  lease_seconds integer)
  returns table (environment_id uuid, fresh boolean, id uuid, purpose text, reference text, external_reference text,
    batch_id uuid, source_account_id uuid, account_number text, account_name text, expected_name text, bank_code text,
    amount bigint, fee bigint, vat bigint, stamp_duty bigint, narration text, metadata json, status text,
    version integer, session_id text, failure_code text, failure_message text, created_at timestamptz,
    updated_at timestamptz, completed_at timestamptz, connection_id uuid)
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
alter function claim_transfers owner to jara_lookup;
revoke execute on function claim_transfers from public;
grant execute on function claim_transfers to jara_app;
