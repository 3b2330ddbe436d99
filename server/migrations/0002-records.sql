-- What operators did: who, what, when, from where. Never changed, never deleted.
create table audit_entries (
  id uuid primary key,
  list_position bigint not null unique,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  about_environment uuid,
  detail jsonb not null,
  address text not null,
  request_id text not null
);
-- An operator's decision is part of a record's story. The trail itself stays out of a tenant's sight: this shows only
-- what was decided about records of the environment that the transaction is in.
create index audit_entries_by_subject on audit_entries (about_environment, subject_id);
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy lookup on audit_entries for select to jara_lookup using (true);
create policy operator on audit_entries to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert on audit_entries to jara_app;
grant select on audit_entries to jara_lookup;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();

-- How many rows a list holds. A listed row takes the next number (list_position) when it is written, and since rows
-- are never deleted, any page is a range of numbers: no OFFSET, no COUNT. The row is locked until its transaction
-- ends, so that numbers become visible in order; hot writers therefore take theirs last, many at a time.
create table list_counters (
  environment_id uuid not null,
  resource text not null,
  total bigint not null check (total >= 0),
  primary key (environment_id, resource)
) with (fillfactor = 50);
call protect_tenant_table('list_counters');
grant select, insert, update on list_counters to jara_app;
grant insert, update on list_counters to jara_lookup;

-- A reply kept under the caller's Idempotency-Key. The row commits together with the effect it stands for.
create table idempotency_keys (
  environment_id uuid not null,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null check (length(request_hash) = 32),
  status smallint,
  sealed_body bytea,
  created_at timestamptz not null default clock_timestamp(),
  primary key (environment_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
call protect_tenant_table('idempotency_keys');
grant select, insert, update, delete on idempotency_keys to jara_app;
grant update on idempotency_keys to jara_lookup;

-- A merchant's reference is used once per environment and kind, for ever. The row is written before the money moves;
-- whoever comes second waits for the first to commit and then finds the record it belongs to.
create table reference_claims (
  environment_id uuid not null,
  kind text not null,
  reference text not null check (length(reference) between 1 and 100),
  record_id uuid not null,
  primary key (environment_id, kind, reference)
);
call protect_tenant_table('reference_claims');
grant select, insert, delete on reference_claims to jara_app;

-- What batches add: one row for each minute and status that they touch, so that no two wait for one another.
create table list_count_deltas (
  environment_id uuid not null,
  minute integer not null,
  change integer not null,
  resource text not null,
  status text not null
);
create index list_count_deltas_of_environment on list_count_deltas (environment_id);
call protect_tenant_table('list_count_deltas');
grant select, insert on list_count_deltas to jara_app;

-- What was folded of it. A bucket of level n is 64^n minutes long, so any span is a few buckets of each level.
create table list_counts (
  environment_id uuid not null,
  resource text not null,
  status text not null,
  level smallint not null check (level between 0 and 3),
  bucket integer not null,
  total bigint not null,
  primary key (environment_id, resource, status, level, bucket)
) with (fillfactor = 70);
call protect_tenant_table('list_counts');
grant select on list_counts to jara_app;
grant insert, update on list_counts to jara_lookup;
