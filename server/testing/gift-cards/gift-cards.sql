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

-- Open gift cards of all environments, in the order of their keys, for the sweeper.
create function find_open_gift_cards(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select g.environment_id, g.id from gift_cards g
    where g.status in ('pending', 'processing') and (g.environment_id, g.id) > (after_environment, after_id)
    order by g.environment_id, g.id
    limit at_most;
  end;
alter function find_open_gift_cards(uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_open_gift_cards(uuid, uuid, integer) from public;
grant execute on function find_open_gift_cards(uuid, uuid, integer) to jara_app;

-- Gift cards of all environments whose outcome the vendor owes, the oldest first, for operators.
create function list_unknown_gift_cards(older_than_seconds integer, at_most integer)
  returns table (environment_id uuid, environment_kind text, id uuid, reference text, amount bigint, brand text,
    queries integer, sent_at timestamptz, age_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select g.environment_id, e.kind, g.id, g.reference, g.amount, g.brand, g.queries, g.sent_at, n.age
    from gift_cards g
    join environments e on e.id = g.environment_id
    cross join lateral (select extract(epoch from clock_timestamp() - g.sent_at)::double precision as age) n
    where g.status = 'processing' and n.age >= older_than_seconds
    order by n.age desc
    limit at_most;
  end;
alter function list_unknown_gift_cards(integer, integer) owner to jara_lookup;
revoke execute on function list_unknown_gift_cards(integer, integer) from public;
grant execute on function list_unknown_gift_cards(integer, integer) to jara_app;
