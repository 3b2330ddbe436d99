-- A customer's own page for a loan that is out: what is owed, paying early, another card, receipts. Its address is sent
-- by SMS and can be given out by the merchant; a loan has one at a time. The address alone shows nothing of the
-- customer: a code to the phone on record opens a visit, which has a token of its own.
create table plan_pages (
  environment_id uuid not null references environments (id),
  id uuid not null,
  loan_id uuid not null,
  customer_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32),
  sealed_token bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When another one took its place.
  replaced_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id)
);
-- Looked up before the environment is known, so the hash alone is unique.
create unique index plan_pages_by_token on plan_pages (token_hash);
create unique index plan_pages_current on plan_pages (environment_id, loan_id) where replaced_at is null;
call protect_tenant_table('plan_pages');
grant select, insert on plan_pages to jara_app;
-- An exchange of the master key seals tokens again.
grant update (replaced_at, sealed_token) on plan_pages to jara_app;

-- The SMS with the page's address, once for each loan that is paid out.
create table plan_link_messages (
  environment_id uuid not null references environments (id),
  loan_id uuid not null,
  message_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'refused')),
  tries integer not null default 0,
  created_at timestamptz not null,
  primary key (environment_id, loan_id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id)
);
create index plan_link_messages_waiting on plan_link_messages (environment_id, loan_id) where status = 'waiting';
call protect_tenant_table('plan_link_messages');
grant select, insert on plan_link_messages to jara_app;
grant update (status, tries) on plan_link_messages to jara_app;

-- Somebody at the page who has answered a code. It counts while the phone that was asked is the one on record.
create table plan_visits (
  environment_id uuid not null references environments (id),
  id uuid not null,
  page_id uuid not null,
  phone text not null,
  token_hash bytea not null check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the customer left by hand.
  left_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, page_id) references plan_pages (environment_id, id)
);
create unique index plan_visits_by_token on plan_visits (token_hash);
create index plan_visits_by_page on plan_visits (environment_id, page_id);
call protect_tenant_table('plan_visits');
grant select, insert on plan_visits to jara_app;
grant update (left_at) on plan_visits to jara_app;

-- Which plan a card page leads back to.
create table plan_card_links (
  environment_id uuid not null references environments (id),
  link_id uuid not null,
  page_id uuid not null,
  primary key (environment_id, link_id),
  foreign key (environment_id, link_id) references card_links (environment_id, id),
  foreign key (environment_id, page_id) references plan_pages (environment_id, id)
);
call protect_tenant_table('plan_card_links');
grant select, insert on plan_card_links to jara_app;

-- A code also answers for a plan's page: its door.
alter table consent_codes add column page_id uuid;
alter table consent_codes add foreign key (environment_id, page_id) references plan_pages (environment_id, id);
alter table consent_codes drop constraint consent_codes_check;
alter table consent_codes
  add constraint consent_codes_one_subject check (num_nonnulls(loan_id, change_id, page_id) = 1);
create unique index consent_codes_live_page on consent_codes (environment_id, page_id)
  where status = 'live' and page_id is not null;

-- Pages end in different ways, so the look-up says when a token stops opening its page, in the environment's time.
drop function find_page(text, bytea);
create function find_page(wanted_kind text, wanted_hash bytea)
  returns table (environment_id uuid, environment_kind text, page_id uuid, closes_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id, e.kind, p.id, p.closes_at from (
      -- For a day the page shows how it went. An ended session never changes again.
      select s.environment_id, s.id,
        case when s.status <> 'open' then s.updated_at + interval '1 day' end as closes_at
      from checkout_sessions s
      where s.token_hash = wanted_hash and wanted_kind = 'checkout'
      union all
      select l.environment_id, l.id,
        case when l.status in ('linked', 'stale') then l.updated_at
          when l.status in ('pending', 'declined') then l.expires_at end + interval '1 day'
      from card_links l
      where l.token_hash = wanted_hash and wanted_kind = 'card-link'
      union all
      select g.environment_id, g.id, least(g.expires_at, g.replaced_at)
      from plan_pages g
      where g.token_hash = wanted_hash and wanted_kind = 'plan'
      union all
      -- A visit ends with its page, so that whoever has the address replaced has everybody sent out.
      select v.environment_id, v.id, least(v.expires_at, v.left_at, g.expires_at, g.replaced_at)
      from plan_visits v
      join plan_pages g on g.environment_id = v.environment_id and g.id = v.page_id
      where v.token_hash = wanted_hash and wanted_kind = 'plan-visit'
    ) p join environments e on e.id = p.environment_id;
  end;
alter function find_page(text, bytea) owner to jara_lookup;
revoke execute on function find_page(text, bytea) from public;
grant execute on function find_page(text, bytea) to jara_app;

-- Messages of all environments with the address of a page that were not carried yet.
create function find_waiting_plan_links(after_environment uuid, after_loan uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select m.environment_id, m.loan_id from plan_link_messages m
    where m.status = 'waiting' and (m.environment_id, m.loan_id) > (after_environment, after_loan)
    order by m.environment_id, m.loan_id limit at_most;
  end;
alter function find_waiting_plan_links(uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_waiting_plan_links(uuid, uuid, integer) from public;
grant execute on function find_waiting_plan_links(uuid, uuid, integer) to jara_app;
