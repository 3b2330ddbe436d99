-- The bank that sandboxes pay through. It keeps its own books, apart from ours and on a connection of its own, so that
-- what it says happened can be compared with what we say. A sandbox is a client of this bank, hence not environment_id.
create schema simulated_bank;
grant usage on schema simulated_bank to jara_app, jara_lookup;

create table simulated_bank.payments (
  sandbox uuid not null,
  session_id text not null check (session_id ~ '^[0-9]{30}$'),
  nip_code text not null,
  account_number text not null,
  account_name text not null,
  amount bigint not null check (amount > 0),
  reference text not null,
  narration text not null,
  status text not null check (status in ('unreached', 'in_progress', 'paid', 'refused', 'reversed')),
  -- What the bank answers when it is asked, as the switch writes it.
  response_code text not null check (response_code ~ '^[0-9]{2}$'),
  -- Orders that arrived under this session. Only the first moves money.
  attempts integer not null,
  -- In the sandbox's time: when a payment in progress is paid at the latest.
  pays_at timestamptz,
  received_at timestamptz not null default clock_timestamp(),
  primary key (sandbox, session_id)
);

-- Banks that a sandbox has put into another condition than up.
create table simulated_bank.conditions (
  sandbox uuid not null,
  nip_code text not null,
  condition text not null check (condition in ('degraded', 'down')),
  primary key (sandbox, nip_code)
);

grant select, insert, update, delete on simulated_bank.payments, simulated_bank.conditions to jara_app;
-- The reset of a sandbox empties its books here too.
grant select, delete on simulated_bank.payments, simulated_bank.conditions to jara_lookup;
