-- What a payout costs, by the day it takes effect: the newest row that is not in the future counts. Amounts in kobo.
create table transfer_tariffs (
  effective_from timestamptz not null,
  -- [{ "up_to": kobo or null for no upper end, "fee": kobo }], rising.
  bands jsonb not null,
  vat_per_mille integer not null check (vat_per_mille between 0 and 1000),
  stamp_duty bigint not null check (stamp_duty >= 0),
  stamp_duty_from bigint not null check (stamp_duty_from >= 0),
  source text not null,
  version integer primary key check (version > 0),
  created_at timestamptz not null default clock_timestamp()
);
insert into transfer_tariffs (
  version, effective_from, bands, vat_per_mille, stamp_duty, stamp_duty_from, source) values (
  1, '2020-01-01T00:00:00Z',
  '[{"up_to": 500000, "fee": 1000}, {"up_to": 5000000, "fee": 2500}, {"up_to": null, "fee": 5000}]',
  75, 5000, 1000000,
  'CBN guide to charges; stamp duty paid by the sender since 1 January 2026');
-- What an operator writes later counts from then on; the row above is older than the rule.
alter table transfer_tariffs add constraint transfer_tariffs_not_for_the_past
  check (effective_from >= created_at) not valid;
alter table transfer_tariffs enable row level security;
alter table transfer_tariffs force row level security;
create policy everybody_reads on transfer_tariffs for select to jara_app using (true);
create policy operator_adds on transfer_tariffs for insert to jara_app with check (in_operator_scope());
grant select, insert on transfer_tariffs to jara_app;

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
  list_position bigint,
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
  -- A loan is paid out by a transfer that is not the merchant's: it is in no list and says nothing of itself.
  purpose text not null default 'payout' check (purpose in ('payout', 'disbursement')),
  -- A connection is one account of ours at a provider. An order is bound to one in the transaction that takes it to
  -- `processing`, and stays with it. Orders of the simulated rails are bound to none.
  connection_id uuid,
  primary key (environment_id, id),
  check ((purpose = 'payout') = (list_position is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, fillfactor = 55);
create index transfers_by_batch on transfers (environment_id, batch_id) where batch_id is not null;
create index transfers_by_final_amount
  on transfers (environment_id, amount, id) where completed_at is not null and purpose = 'payout';
-- A merchant narrows a list of payouts down by bank or by amount. A payout enters these indexes once, when it has its
-- outcome; what is still open is few, and found through the worker's own indexes.
create index transfers_by_final_bank
  on transfers (environment_id, bank_code, id) where completed_at is not null and purpose = 'payout';
create index transfers_by_final_payout
  on transfers (environment_id, status, id) where completed_at is not null and purpose = 'payout';
create index transfers_by_lane on transfers (environment_id, bank_code, claim_at) where claim_at is not null;
-- None of the indexes below holds a payout at the moment of its acceptance: they cost the worker, not the caller.
-- Outcomes of the last hour, for the health of banks.
create index transfers_by_outcome on transfers (environment_id, completed_at) where completed_at is not null;
create unique index transfers_by_position on transfers (environment_id, list_position);
-- Per environment: two sandboxes frozen with the same seed make the same session ids.
create unique index transfers_by_session on transfers (environment_id, session_id) where session_id is not null;
-- Open and in nobody's hands: the agenda brings them back, or nothing does and the sweeper must.
create index transfers_handed_over on transfers (environment_id, id) where completed_at is null and claim_at is null;
-- A provider names an order by our session or request id only.
create index transfers_of_connection on transfers (connection_id, session_id) where connection_id is not null;
-- The orders of a connection by the moment that they were sent, and by what the provider calls them.
create index transfers_sent_to_connection on transfers (connection_id, sent_at) where connection_id is not null;
create index transfers_unsettled on transfers (environment_id, sent_at) where status = 'processing';
call protect_tenant_table('transfers');
grant select, insert, update on transfers to jara_app;
grant update on transfers to jara_lookup;
