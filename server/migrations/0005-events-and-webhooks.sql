-- The outbox: what happened, written in the transaction in which it happened. The list position is given after
-- commit by one sequencer, so that a reader who has seen position n can never miss an earlier one.
create table events (
  environment_id uuid not null references environments (id),
  id uuid not null,
  -- The order of writing, which the sequencer follows within one environment.
  sequence bigint generated always as identity,
  event text not null,
  resource_type text not null,
  resource_id uuid not null,
  resource_version integer not null,
  data json not null,
  created_at timestamptz not null,
  list_position bigint,
  primary key (environment_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_threshold = 5000);
-- Lists of events with a filter count over this index; spans of time alone go by the ids, which carry their time. It
-- holds what the sequencer has numbered, so that writing an event does not touch it.
create index events_by_name on events (environment_id, event, created_at) where list_position is not null;
create unique index events_by_position on events (environment_id, list_position) where list_position is not null;
create index events_of_resource on events (resource_id, resource_version);
create index events_unsequenced on events (environment_id, sequence) where list_position is null;
call protect_tenant_table('events');
grant select, insert on events to jara_app;
grant update on events to jara_lookup;

-- Every time that somebody had an event sent again. A reader of the feed who asks for resends sees the event again at
-- this place (see webhooks/feed.ts).
create table event_resends (
  environment_id uuid not null references environments (id),
  -- In the order of commits: it is taken from the list's counter, which stays locked until then.
  list_position bigint not null check (list_position > 0),
  event_id uuid not null,
  -- The last position that an event had by then. In the feed the resend comes after that event.
  after_event bigint not null check (after_event > 0),
  -- In the environment's time.
  created_at timestamptz not null,
  primary key (environment_id, list_position)
);
create index event_resends_by_event on event_resends (environment_id, after_event, list_position);
call protect_tenant_table('event_resends');
grant select, insert on event_resends to jara_app;

-- Events that were taken to files. A row is one file, and its commit is the moment from which its events are archived:
-- readers go by it at once, and the rows below it are removed in steps (see archives/README.md).
create table event_archives (
  environment_id uuid not null references environments (id),
  -- The file has every event from this place of the log to the last one, so the files of an environment have no gaps.
  first_position bigint not null check (first_position > 0),
  last_position bigint not null,
  last_event_id uuid not null,
  -- The earliest and the latest moment of its events, in the environment's time.
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Below the folder of archives.
  file text not null,
  bytes bigint not null check (bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  written_at timestamptz not null default clock_timestamp(),
  -- Up to here the rows are gone.
  removed_through bigint not null,
  primary key (environment_id, first_position),
  constraint event_archives_in_order check (last_position >= first_position and last_at >= first_at
    and (removed_through >= (first_position - 1) and removed_through <= last_position))
);
call protect_tenant_table('event_archives');
grant select, insert on event_archives to jara_app;
grant update (removed_through) on event_archives to jara_lookup;

-- Where a merchant wants its events sent. A deleted endpoint keeps its row, without secrets: its log stays.
create table webhook_endpoints (
  environment_id uuid not null references environments (id),
  id uuid not null,
  url text not null check (length(url) between 1 and 2048),
  description text,
  -- '*' stands for every event.
  events text[] not null check (cardinality(events) > 0),
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing', 'deleted')),
  sealed_secret bytea,
  -- The secret before the last rotation signs beside the new one until then, in real time.
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  -- When, in the environment's time, the endpoint failed for the first time since it last answered well.
  failing_since timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (environment_id, id),
  check (enabled = (disabled_reason is null) and (deleted_at is null or (not enabled)))
);
call protect_tenant_table('webhook_endpoints');
grant select, insert, update on webhook_endpoints to jara_app;
grant update on webhook_endpoints to jara_lookup;

-- One event on its way to one endpoint. The row is also the queue: claim_at says from when, in real time, a worker may
-- take it up; null means that nobody needs to, because it is settled, waits its turn, or waits for the agenda.
-- No foreign keys: rows are only made from the event and the endpoint themselves, on the hot path of every event.
create table webhook_deliveries (
  environment_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  event_position bigint not null,
  resource_id uuid not null,
  -- held: the endpoint is disabled, kept for replay; cancelled: it was deleted.
  status text not null check (status in ('pending', 'delivered', 'failed', 'held', 'cancelled')),
  -- Tries since the delivery began, or began anew by a replay.
  attempts integer not null default 0 check (attempts >= 0),
  -- When the next try is due (or the last was), in the environment's time.
  due_at timestamptz not null,
  claim_at timestamptz,
  -- A column of its own for the index: a claim then changes nothing that an index knows, and stays on its page.
  queued boolean generated always as (claim_at is not null) stored not null,
  waits boolean not null default false,
  completed_at timestamptz,
  -- The try that arrived is written into its delivery: most deliveries have no other, and a row of its own with its own
  -- place in an index cost a twentieth of all that a payout writes. Tries that failed have rows of their own.
  arrival_sent_at timestamptz,
  arrival_status integer,
  arrival_ms integer,
  arrival_body text,
  primary key (environment_id, event_id, endpoint_id),
  check (claim_at is null or (status = 'pending' and (not waits)))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, fillfactor = 55);
create index webhook_deliveries_open
  on webhook_deliveries (environment_id, endpoint_id, resource_id, event_position) where status = 'pending';
create index webhook_deliveries_queued on webhook_deliveries (environment_id, endpoint_id, event_position) where queued;
create index webhook_deliveries_waiting on webhook_deliveries (environment_id, endpoint_id, resource_id) where waits;
call protect_tenant_table('webhook_deliveries');
grant select, insert, update on webhook_deliveries to jara_app;
grant insert, update on webhook_deliveries to jara_lookup;

-- Every try, also those before a replay.
create table webhook_attempts (
  environment_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  id bigint generated always as identity,
  -- In the environment's time; sent_at is the same moment in real time, as the receiver saw it.
  at timestamptz not null,
  sent_at timestamptz not null,
  -- The HTTP status and the first 2 KiB of the answer; no status when none came, and `error` says why.
  response_status integer,
  response_body text not null default '',
  error text,
  duration_ms integer not null check (duration_ms >= 0),
  primary key (environment_id, event_id, endpoint_id, id)
) with (autovacuum_analyze_threshold = 5000);
call protect_tenant_table('webhook_attempts');
grant select, insert on webhook_attempts to jara_app;
grant insert on webhook_attempts to jara_lookup;
