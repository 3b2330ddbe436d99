-- Gift cards: what a merchant buys from the vendor, and what became of it.
create table gift_cards (
  environment_id uuid not null references environments (id),
  id uuid not null,
  reference text not null check (length(reference) between 1 and 100),
  source_account_id uuid not null,
  brand text not null,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('pending', 'processing', 'delivered', 'failed')),
  version integer not null default 1,
  sealed_code bytea,
  failure_code text,
  queries integer not null default 0,
  list_position bigint not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (environment_id, id),
  check ((status = 'delivered') = (sealed_code is not null)),
  check ((status = 'failed') = (failure_code is not null))
);
create unique index gift_cards_by_position on gift_cards (environment_id, list_position);
create index gift_cards_open on gift_cards (environment_id, id) where status in ('pending', 'processing');
call protect_tenant_table('gift_cards');
grant select, insert on gift_cards to jara_app;
grant update (status, version, sealed_code, failure_code, queries, sent_at) on gift_cards to jara_app;

-- Gift cards as orders to the vendor.
create view orders_of_gift_card with (security_invoker = true) as
  select g.environment_id, g.id, 'gift_card' as port, null::uuid as connection_id, g.id::text as order_id, g.reference,
    g.amount, case g.status when 'pending' then 'waiting' when 'processing' then 'sent' else 'ended' end as step,
    g.status = 'processing' as is_owed, g.status in ('pending', 'processing') as is_idle, g.queries, g.sent_at,
    g.sent_at as since,
    case g.status when 'delivered' then 'success' when 'failed' then 'failure' else 'open' end as state,
    g.id as booked_as, jsonb_build_object('brand', g.brand) as detail
  from gift_cards g;
grant select on orders_of_gift_card to jara_lookup;

-- Gift cards that the vendor has not issued yet, as work that waits.
create view queue_of_gift_cards with (security_invoker = true) as
  select g.environment_id, g.created_at as since, null::timestamptz as booked_for from gift_cards g
  where g.status in ('pending', 'processing');
grant select on queue_of_gift_cards to jara_lookup;

-- Gift cards that the vendor was asked about and said nothing of: somebody has to call it.
create view decisions_of_gift_card with (security_invoker = true) as
  select g.id, null::uuid as customer_id, g.environment_id, g.reference as name, g.amount, g.brand as detail,
    g.sent_at as since, null::timestamptz as until
  from gift_cards g where g.status = 'processing' and g.queries > 0;
grant select on decisions_of_gift_card to jara_lookup;
