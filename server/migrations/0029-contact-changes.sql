-- A new phone number, e-mail address or address of a customer who is known already. It takes effect when a code that
-- was sent to the phone on record is answered, or when an operator says so; until then the customer's row stays as it
-- is. What was not decided in time is expired, which follows from the clock and is no status.
create table contact_changes (
  environment_id uuid not null references environments (id),
  id uuid not null,
  customer_id uuid not null,
  -- Null where it stays as it is. E.164.
  phone text,
  email text,
  address text,
  status text not null default 'pending' check (status in ('pending', 'confirmed', 'approved', 'rejected', 'replaced')),
  -- An operator's.
  reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  check (phone is not null or email is not null or address is not null),
  check ((status = 'pending') = (decided_at is null))
);
create unique index contact_changes_pending on contact_changes (environment_id, customer_id) where status = 'pending';
create index contact_changes_by_customer on contact_changes (environment_id, customer_id, id);
call protect_tenant_table('contact_changes');
grant select, insert, update on contact_changes to jara_app;

-- A code answers for a loan or for a change of contact data. Sending, limits and tries are the same.
alter table consent_codes alter column loan_id drop not null;
alter table consent_codes add column change_id uuid;
alter table consent_codes add foreign key (environment_id, change_id) references contact_changes (environment_id, id);
alter table consent_codes add check ((loan_id is null) <> (change_id is null));
create unique index consent_codes_live_change on consent_codes (environment_id, change_id)
  where status = 'live' and change_id is not null;

-- A card belongs to the phone under which it was linked: after the phone has changed it backs no new loan. Cards that
-- were linked before this are taken to belong to the phone of today. Row level security binds the owner too.
alter table customers no force row level security;
alter table customer_cards no force row level security;
alter table card_links no force row level security;
alter table card_links add column phone text;
alter table customer_cards add column phone text;
update card_links l set phone = c.phone from customers c
  where c.environment_id = l.environment_id and c.id = l.customer_id;
update customer_cards k set phone = c.phone from customers c
  where c.environment_id = k.environment_id and c.id = k.customer_id;
alter table card_links alter column phone set not null;
alter table customer_cards alter column phone set not null;
-- Kept beside the default card, so that whoever has waited for the customer's row sees both as they are.
alter table customers add column card_phone text;
update customers set card_phone = phone where default_card_id is not null;
alter table card_links force row level security;
alter table customer_cards force row level security;
alter table customers force row level security;

-- An operator's word on an identity stands, whatever a register says about a later claim.
alter table customers add column kyc_by_operator boolean not null default false;
