-- What is claimed looks as if it had been claimed a moment ago: whoever has it in hand keeps it for a usual lease.
create or replace function bring_forward_work(at_most integer)
returns table (kind text, brought bigint)
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  moment constant timestamptz := clock_timestamp();
  furthest constant timestamptz := moment + interval '5 minutes';
  usual_lease constant timestamptz := moment + interval '1 minute';
begin
  return query
    with late_transfers as materialized (
      select t.ctid as version from transfers t where t.claim_at > furthest limit at_most for update skip locked
    ), transfers_brought as (
      update transfers t set claim_at = case t.status when 'pending' then moment else usual_lease end
      from late_transfers l where t.ctid = l.version
      returning 1
    ), late_bills as materialized (
      select b.ctid as version from bills b where b.claim_at > furthest limit at_most for update skip locked
    ), bills_brought as (
      update bills b set claim_at = case b.status when 'pending' then moment else usual_lease end
      from late_bills l where b.ctid = l.version
      returning 1
    ), late_deliveries as materialized (
      -- When a sandbox's next try is due is counted from when this one was.
      select d.ctid as version, case c.mode when 'frozen' then d.due_at
          else least(d.due_at, moment + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0)) end as due_at
      from webhook_deliveries d
      left join environment_clocks c on c.environment_id = d.environment_id
      where d.queued and d.claim_at > furthest
      limit at_most for update of d skip locked
    ), deliveries_brought as (
      update webhook_deliveries d set claim_at = usual_lease, due_at = l.due_at
      from late_deliveries l where d.ctid = l.version
      returning 1
    ), late_entries as materialized (
      select a.ctid as version, a.booked_at - moment as ahead from agenda a
      where a.booked_at > furthest and a.wake_at is not null
      limit at_most for update skip locked
    ), entries_brought as (
      update agenda a set due_at = a.due_at - l.ahead, wake_at = a.wake_at - l.ahead, booked_at = moment
      from late_entries l where a.ctid = l.version
      returning 1
    )
    select 'transfers', count(*) from transfers_brought
    union all select 'bills', count(*) from bills_brought
    union all select 'deliveries', count(*) from deliveries_brought
    union all select 'agenda', count(*) from entries_brought;
end
$$;
alter function bring_forward_work owner to jara_lookup;
revoke execute on function bring_forward_work from public;
grant execute on function bring_forward_work to jara_app;
