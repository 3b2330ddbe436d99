-- What waits for an operator's decision, of all environments, live ones first and then the oldest. A sandbox decides by
-- itself within seconds, so what waits there counts after a minute of its own time. Loans whose payouts have failed
-- five times are not tried again by themselves. No more than `at_most` rows of a kind are looked at, by indexes that
-- hold only what waits.
create or replace function list_decisions(at_most integer, wanted_kind text, wanted_environment text)
returns table (kind text, id uuid, customer_id uuid, environment_id uuid, environment text, merchant_id uuid,
  merchant text, name text, amount bigint, detail text, since timestamptz, age_seconds double precision)
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
  return query
    with waiting (kind, id, customer_id, environment_id, name, amount, detail, since, until) as (
      (select 'loan', r.id, null::uuid, r.environment_id, r.first_name || ' ' || r.last_name, r.amount,
          r.tenure || case r.tenure_type when 'daily' then ' days' when 'weekly' then ' weeks' else ' months' end,
          r.created_at, null::timestamptz
        from loan_requests r where r.status = 'pending' and r.disbursement_id is null limit at_most)
      union all
      (select 'loan_payout', r.id, null, r.environment_id, r.first_name || ' ' || r.last_name, r.amount,
          r.disbursements || ' payouts failed', r.updated_at, null
        from loan_requests r where r.status = 'approved' and r.disbursement_id is null and r.disbursements >= 5
        limit at_most)
      union all
      (select 'checkout_loan_payout', l.id, l.customer_id, l.environment_id, l.account_name, l.amount,
          l.disbursements || ' payouts failed', l.updated_at, null
        from checkout_loans l where l.status = 'approved' and l.disbursement_id is null and l.disbursements >= 5
        limit at_most)
      union all
      (select 'contact_change', h.id, h.customer_id, h.environment_id, c.first_name || ' ' || c.last_name, null,
          concat_ws(', ', 'phone ' || h.phone, 'e-mail ' || h.email, 'address ' || h.address), h.created_at,
          h.expires_at
        from contact_changes h join customers c on c.environment_id = h.environment_id and c.id = h.customer_id
        where h.status = 'pending' limit at_most)
      union all
      (select 'identity', c.id, c.id, c.environment_id, c.first_name || ' ' || c.last_name, null, c.kyc_reason,
          c.updated_at, null
        from customers c where c.kyc_status = 'pending' limit at_most)
    )
    select w.kind::text, w.id, w.customer_id, w.environment_id, e.kind, m.id, m.name, w.name, w.amount, w.detail,
      w.since, extract(epoch from n.now - w.since)::double precision
    from waiting w
    join environments e on e.id = w.environment_id
    join merchants m on m.id = e.merchant_id
    left join environment_clocks c on c.environment_id = w.environment_id
    cross join lateral (select case when c.mode = 'frozen' then c.frozen_at
      else clock_timestamp() + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end as now) n
    where (w.until is null or w.until > n.now)
      and (e.kind = 'LIVE' or w.since <= n.now - interval '1 minute')
      and w.kind = coalesce(wanted_kind, w.kind) and e.kind = coalesce(wanted_environment, e.kind)
    order by (e.kind = 'LIVE') desc, n.now - w.since desc, w.id;
end
$$;
alter function list_decisions owner to jara_lookup;
revoke execute on function list_decisions from public;
grant execute on function list_decisions to jara_app;
