-- The billers that sandboxes buy from. They keep their own books, apart from ours and on connections of their own, so
-- that what they say they delivered can be compared with what we say. A sandbox is their client, hence not
-- environment_id.
create schema simulated_biller;
grant usage on schema simulated_biller to jara_app, jara_lookup;

create table simulated_biller.vends (
  sandbox uuid not null,
  request_id uuid not null,
  category text not null,
  provider text not null,
  product_code text not null,
  customer text not null,
  amount bigint not null check (amount > 0),
  reference text not null,
  status text not null check (status in ('in_progress', 'delivered', 'refused', 'reversed')),
  -- What was delivered, from the moment that it was.
  token text,
  units text,
  receipt_number text,
  -- Orders that arrived under this request id. Only the first is delivered.
  attempts integer not null,
  -- In the sandbox's time: when an order in progress is delivered at the latest.
  delivers_at timestamptz,
  received_at timestamptz not null default clock_timestamp(),
  primary key (sandbox, request_id)
);
grant select, insert, update, delete on simulated_biller.vends to jara_app;
-- The reset of a sandbox empties its books here too.
grant select, delete on simulated_biller.vends to jara_lookup;
