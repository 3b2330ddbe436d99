-- What a page or a text shows as the shop's name. Merchants are the operator's rows: a tenant learns this word only.
create function find_merchant_name() returns text
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select m.name from environments e join merchants m on m.id = e.merchant_id where e.id = current_environment();
  end;
alter function find_merchant_name() owner to jara_lookup;
revoke execute on function find_merchant_name() from public;
grant execute on function find_merchant_name() to jara_app;

-- A code that was sent to a customer, who answers it to consent to a loan. Only a keyed hash of it is here, and the
-- terms that it was sent for. Tries are counted before they are compared.
create table consent_codes (
  environment_id uuid not null references environments (id),
  id uuid not null,
  loan_id uuid not null,
  customer_id uuid not null,
  code_hash bytea not null check (length(code_hash) = 32),
  terms jsonb not null,
  terms_hash bytea not null check (length(terms_hash) = 32),
  channel text not null check (channel in ('sms')),
  -- E.164, and what of it may be shown.
  phone text not null,
  destination text not null,
  message_id uuid not null,
  -- What became of the message.
  message_status text not null default 'waiting' check (message_status in ('waiting', 'sent', 'refused')),
  message_tries integer not null default 0,
  attempts integer not null default 0 check (attempts between 0 and 5),
  -- Replaced by a later code, or answered.
  status text not null default 'live' check (status in ('live', 'replaced', 'used')),
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id)
);
create unique index consent_codes_live on consent_codes (environment_id, loan_id) where status = 'live';
create index consent_codes_by_loan on consent_codes (environment_id, loan_id, sent_at);
create index consent_codes_by_customer on consent_codes (environment_id, customer_id, sent_at);
create index consent_codes_waiting on consent_codes (environment_id, id) where message_status = 'waiting';
call protect_tenant_table('consent_codes');
grant select, insert, update on consent_codes to jara_app;

-- What a customer agreed to, to be shown later. Written once and never changed.
create table consent_records (
  environment_id uuid not null references environments (id),
  id uuid not null,
  loan_id uuid not null,
  customer_id uuid not null,
  code_id uuid not null,
  -- As displayed, and the SHA-256 over its canonical form.
  terms jsonb not null,
  schedule_hash bytea not null check (length(schedule_hash) = 32),
  channel text not null check (channel in ('sms')),
  destination text not null,
  message_id uuid not null,
  requested_at timestamptz not null,
  consented_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, code_id) references consent_codes (environment_id, id)
);
create unique index consent_records_by_loan on consent_records (environment_id, loan_id);
call protect_tenant_table('consent_records');
grant select, insert on consent_records to jara_app;

-- A customer's cards: what is printed on a receipt, and the sealed token that the network charges. Which one is the
-- default stands with the customer. A removed card stays for the charges that name it, without its token once the
-- network has forgotten it.
create table customer_cards (
  environment_id uuid not null references environments (id),
  id uuid not null,
  customer_id uuid not null,
  link_id uuid not null,
  brand text not null check (brand in ('visa', 'mastercard', 'verve')),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month integer not null check (exp_month between 1 and 12),
  exp_year integer not null check (exp_year between 2000 and 9999),
  bank text,
  sealed_token bytea,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  check (sealed_token is not null or removed_at is not null)
);
create index customer_cards_by_customer on customer_cards (environment_id, customer_id, id) where removed_at is null;
create index customer_cards_to_forget on customer_cards (environment_id, id)
  where removed_at is not null and sealed_token is not null;
call protect_tenant_table('customer_cards');
grant select, insert, update on customer_cards to jara_app;

-- An invitation to link a card on the hosted page, whose token is sealed for its address and hashed to be found by.
create table card_links (
  environment_id uuid not null references environments (id),
  id uuid not null,
  customer_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32),
  sealed_token bytea not null,
  callback_url text,
  status text not null check (status in ('pending', 'processing', 'linked', 'declined', 'stale')),
  version integer not null default 1,
  -- The try under way or the last one: what the network knows it by, and the vault's token until it has answered.
  attempt_id uuid,
  sealed_card_token bytea,
  queries integer not null default 0,
  card_id uuid,
  failure_code text,
  failure_message text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, card_id) references customer_cards (environment_id, id),
  check ((status = 'linked') = (card_id is not null)),
  check ((status = 'declined') = (failure_code is not null)),
  check ((status = 'processing') = (sealed_card_token is not null))
);
-- Looked up before the environment is known, so the hash alone is unique.
create unique index card_links_by_token on card_links (token_hash);
create index card_links_open on card_links (environment_id, customer_id) where status in ('pending', 'declined');
create index card_links_asked on card_links (environment_id, id) where status = 'processing';
call protect_tenant_table('card_links');
grant select, insert, update on card_links to jara_app;

-- Money asked of a card for a loan. At most one charge of a loan is under way.
create table card_charges (
  environment_id uuid not null references environments (id),
  id uuid not null,
  loan_id uuid not null,
  customer_id uuid not null,
  -- Null when there was no card to charge.
  card_id uuid,
  kind text not null check (kind in ('collection', 'repayment')),
  -- The merchant's, for a repayment that it asked for.
  reference text check (length(reference) between 1 and 100),
  amount bigint not null check (amount > 0),
  -- Which try for a due date, from 1; the due date that is being collected.
  attempt integer not null check (attempt > 0),
  due_date date,
  status text not null check (status in ('processing', 'successful', 'failed')),
  version integer not null default 1,
  failure_code text,
  failure_message text,
  repayment_id uuid,
  queries integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id),
  foreign key (environment_id, card_id) references customer_cards (environment_id, id),
  check ((kind = 'repayment') = (reference is not null)),
  check ((status = 'failed') = (failure_code is not null)),
  check ((status = 'successful') = (repayment_id is not null)),
  check ((status = 'processing') = (completed_at is null))
);
create unique index card_charges_under_way on card_charges (environment_id, loan_id) where status = 'processing';
create unique index card_charges_by_reference on card_charges (environment_id, reference) where reference is not null;
create index card_charges_by_loan on card_charges (environment_id, loan_id, id);
create index card_charges_asked on card_charges (environment_id, id) where status = 'processing';
call protect_tenant_table('card_charges');
grant select, insert, update on card_charges to jara_app;

-- When a loan's due instalments are charged to the card next, and how often that was tried for the due date at hand.
create table card_collections (
  environment_id uuid not null references environments (id),
  loan_id uuid not null,
  account_id uuid not null,
  customer_id uuid not null,
  due_date date,
  first_tried_at timestamptz,
  tries integer not null default 0,
  -- Null while a charge is under way, when nothing more falls due and when the tries are used up.
  next_at timestamptz,
  updated_at timestamptz not null,
  primary key (environment_id, loan_id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id)
);
create index card_collections_waiting on card_collections (environment_id, loan_id) where next_at is not null;
call protect_tenant_table('card_collections');
grant select, insert, update on card_collections to jara_app;

-- Of all environments: messages that were not carried yet, links and charges whose outcome a network owes, tokens that
-- it is to forget, and collections that wait for their day.
create function find_card_work(wanted text, after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select w.environment_id, w.id from (
      select c.environment_id, c.id from consent_codes c where c.message_status = 'waiting' and wanted = 'message'
      union all
      select l.environment_id, l.id from card_links l where l.status = 'processing' and wanted = 'link'
      union all
      select c.environment_id, c.id from card_charges c where c.status = 'processing' and wanted = 'charge'
      union all
      select c.environment_id, c.id from customer_cards c
      where c.removed_at is not null and c.sealed_token is not null and wanted = 'unlink'
      union all
      select c.environment_id, c.loan_id from card_collections c where c.next_at is not null and wanted = 'collection'
    ) w
    where (w.environment_id, w.id) > (after_environment, after_id)
    order by w.environment_id, w.id limit at_most;
  end;
alter function find_card_work(text, uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_card_work(text, uuid, uuid, integer) from public;
grant execute on function find_card_work(text, uuid, uuid, integer) to jara_app;

-- Charges whose outcome the card network owes us, over all environments, longest first.
create function list_unknown_charges(older_than_seconds integer, at_most integer)
  returns table (environment_id uuid, environment_kind text, id uuid, reference text, amount bigint, loan_id uuid,
    queries integer, sent_at timestamptz, age_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select h.environment_id, e.kind, h.id, coalesce(h.reference, h.id::text), h.amount, h.loan_id, h.queries,
      h.created_at, n.age
    from card_charges h
    join environments e on e.id = h.environment_id
    left join environment_clocks c on c.environment_id = h.environment_id
    cross join lateral (
      select extract(epoch from
        case when c.mode = 'frozen' then c.frozen_at
          else clock_timestamp() + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end
        - h.created_at)::float8 as age) n
    where h.status = 'processing' and n.age >= older_than_seconds
    order by n.age desc
    limit at_most;
  end;
alter function list_unknown_charges(integer, integer) owner to jara_lookup;
revoke execute on function list_unknown_charges(integer, integer) from public;
grant execute on function list_unknown_charges(integer, integer) to jara_app;
