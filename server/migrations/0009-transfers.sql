-- What a payout costs, by the day it takes effect: the newest row that is not in the future counts. Amounts in kobo.
create table transfer_tariffs (
  effective_from timestamptz primary key,
  -- [{ "up_to": kobo or null for no upper end, "fee": kobo }], rising.
  bands jsonb not null,
  vat_per_mille integer not null check (vat_per_mille between 0 and 1000),
  stamp_duty bigint not null check (stamp_duty >= 0),
  stamp_duty_from bigint not null check (stamp_duty_from >= 0),
  source text not null
);
insert into transfer_tariffs (effective_from, bands, vat_per_mille, stamp_duty, stamp_duty_from, source) values (
  '2020-01-01T00:00:00Z',
  '[{"up_to": 500000, "fee": 1000}, {"up_to": 5000000, "fee": 2500}, {"up_to": null, "fee": 5000}]',
  75, 5000, 1000000,
  'CBN guide to charges; stamp duty paid by the sender since 1 January 2026');
grant select on transfer_tariffs to jara_app;

create table transfer_batches (
  environment_id uuid not null references environments (id),
  id uuid not null,
  batch_reference text not null check (length(batch_reference) between 1 and 100),
  -- Tells a repeated request from another one under the same reference.
  request_hash bytea not null,
  total_count integer not null,
  accepted_count integer not null,
  rejected_count integer not null,
  -- Accepted items that have no final outcome yet; at zero the batch is complete.
  open_count integer not null check (open_count >= 0),
  total_amount bigint not null,
  total_fee bigint not null,
  -- What was refused at once: [{ reference, code, message }].
  rejected json not null,
  version integer not null default 1,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (environment_id, id)
);
call protect_tenant_table('transfer_batches');
grant select, insert, update on transfer_batches to jara_app;

-- A payout. The row is also the queue of the worker: claim_at says from when (in real time) a worker may take it up;
-- null means that nobody needs to, because it is final or waits for an entry of the agenda. The order of columns keeps
-- this hottest of rows free of padding.
create table transfers (
  environment_id uuid not null,
  id uuid not null,
  source_account_id uuid not null,
  amount bigint not null check (amount > 0),
  fee bigint not null,
  vat bigint not null,
  stamp_duty bigint not null,
  list_position bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  claim_at timestamptz,
  -- Since when (environment time) the rail owes an answer; how often it was asked.
  sent_at timestamptz,
  queries integer not null default 0,
  version integer not null default 1,
  batch_id uuid,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'reversed')),
  reference text not null,
  external_reference text,
  account_number text not null,
  -- Null until the bank has named the holder (bulk items are looked up by the worker).
  account_name text,
  -- Whom the merchant expects, when it said so.
  expected_name text,
  bank_code text not null,
  narration text,
  session_id text,
  failure_code text,
  failure_message text,
  metadata json,
  primary key (environment_id, id)
) with (fillfactor = 80);
create unique index transfers_by_position on transfers (environment_id, list_position);
create index transfers_by_claim on transfers (claim_at) where claim_at is not null;
create index transfers_by_batch on transfers (environment_id, batch_id) where batch_id is not null;
-- Per environment: two sandboxes frozen with the same seed make the same session ids.
create unique index transfers_by_session on transfers (environment_id, session_id) where session_id is not null;
-- None of the indexes below holds a payout at the moment of its acceptance: they cost the worker, not the caller.
-- Outcomes of the last hour, for the health of banks.
create index transfers_by_outcome on transfers (environment_id, completed_at) where completed_at is not null;
-- Lists filtered by a final state. Ids rise with time, so the key itself serves lists filtered by time.
create index transfers_by_final_status on transfers (environment_id, status, id) where completed_at is not null;
-- Open and in nobody's hands: the agenda brings them back, or nothing does and the sweeper must.
create index transfers_handed_over on transfers (environment_id, id) where completed_at is null and claim_at is null;
create index transfers_unsettled on transfers (environment_id, sent_at) where status = 'processing';
call protect_tenant_table('transfers');
grant select, insert, update on transfers to jara_app;
grant select, update on transfers to jara_lookup;

-- The last twelve digits of a session id.
create sequence transfer_session_numbers;
grant usage on sequence transfer_session_numbers to jara_app, jara_lookup;

-- Takes transfers that wait for a worker. Where the holder is known already, the step to `processing` and the session
-- id are committed here, before anybody calls the bank; `fresh` tells the worker that it may send, everything else
-- must be asked about first. The lease brings a transfer back if its worker dies. A row that the worker hands to the
-- agenda, or ends, gives claim_at up. Banks that keep this worker waiting are passed over, so that the others' payouts
-- do not queue behind theirs.
create function claim_transfers(
  at_most integer, lease_seconds integer, sandbox_sender text, live_sender text, busy_banks text[])
  returns table (environment_id uuid, environment_kind text, id uuid, bank_code text, fresh boolean)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with waiting as (
      select t.environment_id, t.id, t.status = 'pending' and t.account_name is not null as now_sent
      from transfers t
      where t.claim_at <= clock_timestamp() and t.bank_code <> all (busy_banks)
      order by t.claim_at
      limit at_most
      for update skip locked
    ), timed as (
      select w.environment_id, w.id, w.now_sent, e.kind,
        case when c.mode = 'frozen' then c.frozen_at
          else clock_timestamp() + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end as now
      from waiting w
      join environments e on e.id = w.environment_id
      left join environment_clocks c on c.environment_id = w.environment_id
    )
    update transfers t set
      claim_at = clock_timestamp() + make_interval(secs => lease_seconds),
      status = case when w.now_sent then 'processing' else t.status end,
      version = case when w.now_sent then t.version + 1 else t.version end,
      session_id = case when w.now_sent then
          (case w.kind when 'LIVE' then live_sender else sandbox_sender end)
          || to_char(w.now at time zone 'Africa/Lagos', 'YYMMDDHH24MISS')
          || lpad((nextval('transfer_session_numbers') % 1000000000000)::text, 12, '0')
        else t.session_id end,
      sent_at = case when w.now_sent then w.now else t.sent_at end,
      updated_at = case when w.now_sent then w.now else t.updated_at end
    from timed w
    where t.environment_id = w.environment_id and t.id = w.id
    returning t.environment_id, w.kind, t.id, t.bank_code, w.now_sent;
end
$$;
alter function claim_transfers(integer, integer, text, text, text[]) owner to jara_lookup;
revoke execute on function claim_transfers(integer, integer, text, text, text[]) from public;
grant execute on function claim_transfers(integer, integer, text, text, text[]) to jara_app;

-- Transfers whose outcome the rail owes us, over all environments, longest first.
create function list_unknown_transfers(older_than_seconds integer, at_most integer)
  returns table (environment_id uuid, environment_kind text, id uuid, reference text, amount bigint, bank_code text,
    session_id text, queries integer, sent_at timestamptz, age_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select t.environment_id, e.kind, t.id, t.reference, t.amount, t.bank_code, t.session_id, t.queries, t.sent_at,
      n.age
    from transfers t
    join environments e on e.id = t.environment_id
    left join environment_clocks c on c.environment_id = t.environment_id
    cross join lateral (
      select extract(epoch from case c.mode when 'frozen' then c.frozen_at
        else clock_timestamp() + coalesce(c.offset_ms, 0) * interval '1 millisecond' end - t.sent_at)::float8 as age) n
    where t.status = 'processing' and n.age >= older_than_seconds
    order by n.age desc
    limit at_most;
  end;
alter function list_unknown_transfers(integer, integer) owner to jara_lookup;
revoke execute on function list_unknown_transfers(integer, integer) from public;
grant execute on function list_unknown_transfers(integer, integer) to jara_app;

create function find_transfer_environment(wanted uuid) returns table (environment_id uuid, environment_kind text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    -- By the primary key of each environment in turn: an index on the id alone would cost every payout.
    select e.id, e.kind from environments e
    where exists (select from transfers t where t.environment_id = e.id and t.id = wanted);
  end;
alter function find_transfer_environment(uuid) owner to jara_lookup;
revoke execute on function find_transfer_environment(uuid) from public;
grant execute on function find_transfer_environment(uuid) to jara_app;

-- Open transfers of all environments that no worker holds, in the order of their keys. The sweeper finds out which of
-- them nothing will ever move.
create function find_handed_over_transfers(
  wanted_status text, after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select t.environment_id, t.id from transfers t
    where t.completed_at is null and t.claim_at is null and t.status = wanted_status
      and (t.environment_id, t.id) > (after_environment, after_id)
    order by t.environment_id, t.id
    limit at_most;
  end;
alter function find_handed_over_transfers(text, uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_handed_over_transfers(text, uuid, uuid, integer) from public;
grant execute on function find_handed_over_transfers(text, uuid, uuid, integer) to jara_app;
