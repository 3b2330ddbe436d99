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
-- null means that nobody needs to, because it is final or waits for an entry of the agenda.
create table transfers (
  environment_id uuid not null references environments (id),
  id uuid not null,
  -- Who pays and who hears of it: a merchant's payout, or the disbursement of a loan, which is not in the list.
  purpose text not null default 'payout' check (purpose in ('payout', 'disbursement')),
  reference text not null,
  external_reference text,
  batch_id uuid,
  source_account_id uuid not null,
  account_number text not null,
  -- Null until the bank has named the holder (bulk items are looked up by the worker).
  account_name text,
  -- Whom the merchant expects, when it said so.
  expected_name text,
  bank_code text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null,
  vat bigint not null,
  stamp_duty bigint not null,
  narration text,
  metadata json,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'reversed')),
  version integer not null default 1,
  session_id text,
  failure_code text,
  failure_message text,
  list_position bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  claim_at timestamptz,
  -- Since when (environment time) the rail owes an answer; how often it was asked.
  sent_at timestamptz,
  queries integer not null default 0,
  primary key (environment_id, id)
) with (fillfactor = 80);
create unique index transfers_by_position on transfers (environment_id, list_position) where list_position is not null;
create index transfers_by_claim on transfers (claim_at) where claim_at is not null;
create index transfers_by_batch on transfers (environment_id, batch_id) where batch_id is not null;
create unique index transfers_by_session on transfers (session_id) where session_id is not null;
-- Outcomes of the last hour (bank health) and lists filtered by a final state.
create index transfers_by_outcome on transfers (environment_id, completed_at) where completed_at is not null;
call protect_tenant_table('transfers');
grant select, insert, update on transfers to jara_app;
grant select, update on transfers to jara_lookup;
