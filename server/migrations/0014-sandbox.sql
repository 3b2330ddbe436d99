-- The owner of a sandbox plays a provider that takes no orders at the moment: its float is empty, its keys are refused.
create table sandbox_rail_holds (
  environment_id uuid not null references environments (id),
  port text not null check (port in ('bank', 'biller')),
  reason text not null,
  primary key (environment_id, port)
);
call protect_tenant_table('sandbox_rail_holds');
grant select, insert, update, delete on sandbox_rail_holds to jara_app;

-- The rails of sandboxes keep their own books, apart from ours and on connections of their own, so that what they say
-- happened can be compared with what we say. Each sandbox sees its own page of them only, as with every other table:
-- what a server asks is bound to the sandbox that its statement names (sandbox/in-books.ts). A sandbox is a client of
-- these rails, hence not environment_id.
create procedure protect_simulated_table(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to jara_app using (sandbox = current_environment()) with check (sandbox = current_environment())',
    target);
  execute format('create policy lookup on %s to jara_lookup using (true) with check (true)', target);
  execute format('grant select, insert, update, delete on %s to jara_app', target);
  -- The reset of a sandbox empties its books here too.
  execute format('grant select, delete on %s to jara_lookup', target);
end
$$;

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
call protect_simulated_table('simulated_bank.payments');

-- Banks that a sandbox has put into another condition than up.
create table simulated_bank.conditions (
  sandbox uuid not null,
  nip_code text not null,
  condition text not null check (condition in ('degraded', 'down')),
  primary key (sandbox, nip_code)
);
call protect_simulated_table('simulated_bank.conditions');

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
  -- In the sandbox's time: when an order in progress is delivered at the latest, and when a TV order was.
  delivers_at timestamptz,
  received_at timestamptz not null default clock_timestamp(),
  -- The simulated billers know what runs on a smart card by what they delivered to it.
  subscription_type text check (subscription_type in ('change', 'renew')),
  primary key (sandbox, request_id)
);
create index vends_by_smart_card
  on simulated_biller.vends (sandbox, provider, customer, delivers_at) where category = 'tv' and status = 'delivered';
call protect_simulated_table('simulated_biller.vends');

create schema simulated_card;
grant usage on schema simulated_card to jara_app, jara_lookup;

-- What the vault gives for a number: good for one link, for ten minutes of the sandbox's time.
create table simulated_card.tokens (
  sandbox uuid not null,
  token text not null check (token ~ '^ctok_[0-9a-f]{48}$'),
  brand text not null check (brand in ('visa', 'mastercard', 'verve')),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null,
  bank text not null,
  -- What the card does, which follows from its number.
  behaviour text not null
    check (behaviour in ('links', 'declines_link', 'declines_charges', 'asks_holder', 'refunds_slowly')),
  expires_at timestamptz not null,
  -- The link that it was spent on.
  link_id uuid,
  fingerprint text,
  primary key (sandbox, token)
);
call protect_simulated_table('simulated_card.tokens');

-- Attempts to link a card. One that was linked is the card, known by its token from then on.
create table simulated_card.links (
  sandbox uuid not null,
  link_id uuid not null,
  customer_id uuid not null,
  status text not null check (status in ('open', 'left', 'declined', 'linked', 'unlinked')),
  decline_code text,
  token text check (token ~ '^card_[0-9a-f]{48}$'),
  brand text,
  last4 text,
  exp_month smallint,
  exp_year smallint,
  bank text,
  behaviour text,
  -- Orders that arrived under this link. Only the first decides.
  attempts integer not null,
  received_at timestamptz not null default clock_timestamp(),
  fingerprint text,
  return_url text,
  -- In the sandbox's time.
  opened_at timestamptz,
  primary key (sandbox, link_id),
  unique (sandbox, token),
  check ((status = 'declined') = (decline_code is not null)),
  constraint links_check1 check ((status in ('open', 'left', 'declined')) = (num_nulls(token, brand, last4, exp_month,
    exp_year, bank, behaviour) > 0))
);
call protect_simulated_table('simulated_card.links');

create table simulated_card.charges (
  sandbox uuid not null,
  charge_id uuid not null,
  token text not null,
  amount bigint not null check (amount > 0),
  narration text not null,
  status text not null check (status in ('paid', 'declined', 'asked', 'reversed')),
  decline_code text,
  -- Orders that arrived under this charge. Only the first takes money.
  attempts integer not null,
  received_at timestamptz not null default clock_timestamp(),
  -- When the holder was asked, in the sandbox's time.
  asked_at timestamptz,
  primary key (sandbox, charge_id),
  check ((status = 'declined') = (decline_code is not null))
);
call protect_simulated_table('simulated_card.charges');

create table simulated_card.refunds (
  sandbox uuid not null,
  refund_id uuid not null,
  charge_id uuid not null,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('paid', 'declined', 'pending')),
  decline_code text,
  attempts integer not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (sandbox, refund_id),
  check ((status = 'declined') = (decline_code is not null))
);
create index refunds_sandbox_charge_id_idx on simulated_card.refunds (sandbox, charge_id);
call protect_simulated_table('simulated_card.refunds');

create schema simulated_message;
grant usage on schema simulated_message to jara_app, jara_lookup;

create table simulated_message.messages (
  sandbox uuid not null,
  message_id uuid not null,
  -- Rises in the order of arrival, for a list with the newest first.
  arrival bigint generated always as identity,
  channel text not null,
  recipient text not null,
  text text not null,
  status text not null,
  -- Orders that arrived under this id. Only the first is carried.
  attempts integer not null,
  -- In the sandbox's time.
  sent_at timestamptz not null,
  primary key (sandbox, message_id),
  constraint messages_channel_check check (channel = 'sms'),
  constraint messages_status_check check (status = 'delivered')
);
create index messages_sandbox_arrival_idx on simulated_message.messages (sandbox, arrival);
create index messages_sandbox_recipient_arrival_idx on simulated_message.messages (sandbox, recipient, arrival);
call protect_simulated_table('simulated_message.messages');

create schema simulated_identity;
grant usage on schema simulated_identity to jara_app, jara_lookup;

create table simulated_identity.people (
  sandbox uuid not null,
  id uuid not null,
  -- A keyed hash, so that the number stands nowhere in full; it follows the master key with the sealed number.
  bvn_index bytea not null,
  sealed_bvn bytea not null,
  first_name text not null,
  last_name text not null,
  phone text not null,
  -- Null until somebody has said one.
  born date,
  primary key (sandbox, id),
  unique (sandbox, bvn_index)
);
call protect_simulated_table('simulated_identity.people');
