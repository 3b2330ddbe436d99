-- A hosted checkout: one order of a customer, walked through on a page of ours. The page is opened with a token, which
-- is sealed for its address and hashed to be found by.
create table checkout_sessions (
  environment_id uuid not null references environments (id),
  id uuid not null,
  customer_id uuid not null,
  order_reference text not null check (length(order_reference) between 1 and 100),
  amount bigint not null check (amount > 0),
  -- The merchant's account, which is paid.
  bank_code text not null,
  bank_account_no text not null,
  success_url text not null,
  cancel_url text not null,
  status text not null check (status in ('open', 'completed', 'expired', 'cancelled')),
  -- Null until the customer has chosen the terms.
  loan_id uuid,
  token_hash bytea not null check (length(token_hash) = 32),
  sealed_token bytea not null,
  -- Counts its changes: the version of the resource in events.
  version integer not null default 1,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id),
  check (status <> 'completed' or loan_id is not null)
);
-- Looked up before the environment is known, so the hash alone is unique.
create unique index checkout_sessions_by_token on checkout_sessions (token_hash);
-- One that expired or was cancelled leaves its order free for another.
create unique index checkout_sessions_by_order on checkout_sessions (environment_id, order_reference)
  where status in ('open', 'completed');
create unique index checkout_sessions_by_loan on checkout_sessions (environment_id, loan_id) where loan_id is not null;
create index checkout_sessions_open on checkout_sessions (environment_id, id) where status = 'open';
call protect_tenant_table('checkout_sessions');
grant select, insert, update on checkout_sessions to jara_app;

-- Which checkout a card page leads back to.
create table checkout_session_card_links (
  environment_id uuid not null references environments (id),
  link_id uuid not null,
  session_id uuid not null,
  primary key (environment_id, link_id),
  foreign key (environment_id, link_id) references card_links (environment_id, id),
  foreign key (environment_id, session_id) references checkout_sessions (environment_id, id)
);
call protect_tenant_table('checkout_session_card_links');
grant select, insert on checkout_session_card_links to jara_app;

-- A browser carries a page's token; the token tells which record of which environment it may act on.
create function find_page(wanted_kind text, wanted_hash bytea)
  returns table (environment_id uuid, environment_kind text, page_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id, e.kind, p.id from (
      select s.environment_id, s.id from checkout_sessions s
      where s.token_hash = wanted_hash and wanted_kind = 'checkout'
      union all
      select l.environment_id, l.id from card_links l
      where l.token_hash = wanted_hash and wanted_kind = 'card-link'
    ) p join environments e on e.id = p.environment_id;
  end;
alter function find_page(text, bytea) owner to jara_lookup;
revoke execute on function find_page(text, bytea) from public;
grant execute on function find_page(text, bytea) to jara_app;

-- Open checkouts of all environments that time will end. One whose loan is granted is ended by the loan.
create function find_open_checkout_sessions(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select s.environment_id, s.id from checkout_sessions s
    where s.status = 'open' and (s.environment_id, s.id) > (after_environment, after_id)
      and not exists (select from checkout_loans l where l.environment_id = s.environment_id and l.id = s.loan_id
        and l.status in ('approved', 'disbursed'))
    order by s.environment_id, s.id limit at_most;
  end;
alter function find_open_checkout_sessions(uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_open_checkout_sessions(uuid, uuid, integer) from public;
grant execute on function find_open_checkout_sessions(uuid, uuid, integer) to jara_app;
