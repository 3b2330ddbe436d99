-- The card network that sandboxes charge through. It keeps its own books, apart from ours and on connections of its
-- own, so that what it says it took can be compared with what we say. A sandbox is its client, hence not
-- environment_id. No column here can hold a card's number: it ends at the vault's door.
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
  behaviour text not null check (behaviour in ('links', 'declines_link', 'declines_charges')),
  expires_at timestamptz not null,
  -- The link that it was spent on.
  link_id uuid,
  primary key (sandbox, token)
);

-- Attempts to link a card. One that was linked is the card, known by its token from then on.
create table simulated_card.links (
  sandbox uuid not null,
  link_id uuid not null,
  customer_id uuid not null,
  status text not null check (status in ('declined', 'linked', 'unlinked')),
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
  primary key (sandbox, link_id),
  unique (sandbox, token),
  check ((status = 'declined') = (decline_code is not null)),
  check ((status = 'declined') = (num_nulls(token, brand, last4, exp_month, exp_year, bank, behaviour) > 0))
);

create table simulated_card.charges (
  sandbox uuid not null,
  charge_id uuid not null,
  token text not null,
  amount bigint not null check (amount > 0),
  narration text not null,
  status text not null check (status in ('paid', 'declined')),
  decline_code text,
  -- Orders that arrived under this charge. Only the first takes money.
  attempts integer not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (sandbox, charge_id),
  check ((status = 'declined') = (decline_code is not null))
);

create table simulated_card.refunds (
  sandbox uuid not null,
  refund_id uuid not null,
  charge_id uuid not null,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('paid', 'declined')),
  decline_code text,
  attempts integer not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (sandbox, refund_id),
  check ((status = 'declined') = (decline_code is not null))
);
create index on simulated_card.refunds (sandbox, charge_id);

-- The telephones of a sandbox's customers: what was sent to them can be read.
create schema simulated_message;
grant usage on schema simulated_message to jara_app, jara_lookup;

create table simulated_message.messages (
  sandbox uuid not null,
  message_id uuid not null,
  -- Rises in the order of arrival, for a list with the newest first.
  arrival bigint generated always as identity,
  channel text not null check (channel in ('sms')),
  recipient text not null,
  text text not null,
  status text not null check (status in ('delivered')),
  -- Orders that arrived under this id. Only the first is carried.
  attempts integer not null,
  -- In the sandbox's time.
  sent_at timestamptz not null,
  primary key (sandbox, message_id)
);
create index on simulated_message.messages (sandbox, arrival);
create index on simulated_message.messages (sandbox, recipient, arrival);

grant select, insert, update, delete on
  simulated_card.tokens, simulated_card.links, simulated_card.charges, simulated_card.refunds,
  simulated_message.messages
to jara_app;
-- The reset of a sandbox empties its books here too.
grant select, delete on
  simulated_card.tokens, simulated_card.links, simulated_card.charges, simulated_card.refunds,
  simulated_message.messages
to jara_lookup;
