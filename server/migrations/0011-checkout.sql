-- Who pays at the checkout, found again by BVN: the number itself is sealed, its keyed hash is what is searched.
create table customers (
  environment_id uuid not null references environments (id),
  id uuid not null,
  list_position bigint not null,
  bvn_index bytea not null,
  sealed_bvn bytea not null,
  sealed_nin bytea,
  first_name text not null,
  last_name text not null,
  email text not null,
  -- E.164.
  phone text not null,
  date_of_birth date,
  address text,
  -- The merchant's own name for the customer; not unique, for it is not ours to keep apart.
  external_id text check (length(external_id) between 1 and 100),
  kyc_status text not null check (kyc_status in ('pending', 'verified', 'failed')),
  -- Why it failed, or why an operator decided.
  kyc_reason text,
  -- How often the identity provider could not be asked so far.
  kyc_failures integer not null default 0,
  -- The card that due instalments are charged to; null when none is linked.
  default_card_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Kept beside the default card, so that whoever has waited for the customer's row sees both as they are.
  card_phone text,
  -- An operator's word on an identity stands, whatever a register says about a later claim.
  kyc_by_operator boolean not null default false,
  -- Found again by the NIN too.
  nin_index bytea,
  -- What shows that a customer owns the BVN: the phone on record is the register's, or a linked card is in the
  -- customer's name. Null in rows of servers that did not ask: in a sandbox that counts as shown.
  identity_proof text check (identity_proof in ('none', 'phone', 'card')),
  primary key (environment_id, id)
);
create index customers_by_any_bvn on customers (bvn_index);
create index customers_by_any_nin on customers (nin_index) where nin_index is not null;
create index customers_by_any_phone on customers (phone);
create unique index customers_by_bvn on customers (environment_id, bvn_index);
create unique index customers_by_position on customers (environment_id, list_position);
create index customers_unidentified on customers (environment_id, id) where kyc_status = 'pending';
call protect_tenant_table('customers');
grant select, insert, update on customers to jara_app;

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
  constraint contact_changes_check1 check ((status = 'pending') = (decided_at is null))
);
create index contact_changes_by_customer on contact_changes (environment_id, customer_id, id);
create unique index contact_changes_pending on contact_changes (environment_id, customer_id) where status = 'pending';
call protect_tenant_table('contact_changes');
grant select, insert, update on contact_changes to jara_app;

-- What decides who may borrow how much, by version and date: the newest version in force counts. Versions are never
-- changed, for loans refer to the one they were granted by. Amounts are kobo.
create table credit_policies (
  environment_id uuid not null references environments (id),
  version integer not null check (version > 0),
  effective_from timestamptz not null,
  -- { "minimumAge": 18, "mostOpenLoans": 2, "minimumAmount": 500000, "tenors": [1, 3],
  -- "tiers": [{ "completedLoans": 0, "limit": 20000000 }] }
  rules jsonb not null,
  created_at timestamptz not null,
  primary key (environment_id, version)
);
call protect_tenant_table('credit_policies');
grant select, insert on credit_policies to jara_app;

-- A purchase on credit. The loan itself (terms, schedule, repayments) is the loan account of the same reference, which
-- is pending until consent is given and a card is linked; from approval on the status here is that account's.
create table checkout_loans (
  environment_id uuid not null references environments (id),
  id uuid not null,
  customer_id uuid not null,
  -- The hosted checkout that it was asked for in, if any.
  session_id uuid,
  -- The id of the loan account.
  reference uuid not null,
  policy_version integer not null,
  amount bigint not null check (amount > 0),
  -- Months.
  tenor integer not null check (tenor > 0),
  -- The merchant's account, which is paid. The bank has named its holder before the loan is made.
  bank_code text not null,
  bank_account_no text not null,
  bank_name text not null,
  account_name text not null,
  status text not null
    check (status in ('pending_consent', 'pending_card', 'approved', 'disbursed', 'active', 'overdue', 'completed',
      'rejected', 'cancelled', 'expired', 'written_off')),
  consent_status text not null check (consent_status in ('pending_consent', 'consented', 'expired')),
  consented_at timestamptz,
  -- Until then consent and card must be there.
  expires_at timestamptz not null,
  -- The transfer that is paying this loan out; null before, and again when one has failed.
  disbursement_id uuid,
  -- How many were tried; part of each one's reference.
  disbursements integer not null default 0,
  -- Counts what the merchant is told of: the version of the resource in events.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  owed_principal bigint not null check (owed_principal >= 0),
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, policy_version) references credit_policies (environment_id, version),
  check ((consent_status = 'consented') = (consented_at is not null))
);
create index checkout_loans_by_customer on checkout_loans (environment_id, customer_id, id);
create index checkout_loans_by_disbursement
  on checkout_loans (environment_id, disbursement_id) where disbursement_id is not null;
create unique index checkout_loans_by_reference on checkout_loans (environment_id, reference);
-- Those that something still has to expire or pay out.
create index checkout_loans_waiting
  on checkout_loans (environment_id, id)
  where status in ('pending_consent', 'pending_card', 'approved') and disbursement_id is null;
call protect_tenant_table('checkout_loans');
grant select, insert, update on checkout_loans to jara_app;

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
  phone text not null,
  -- What the network knows a card by, whoever links it; null where it does not tell.
  sealed_fingerprint bytea,
  fingerprint_index bytea,
  connection_id uuid,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  check (sealed_token is not null or removed_at is not null),
  constraint customer_cards_check1 check ((sealed_fingerprint is null) = (fingerprint_index is null))
);
create index customer_cards_by_any_fingerprint
  on customer_cards (fingerprint_index) where fingerprint_index is not null;
create index customer_cards_by_customer on customer_cards (environment_id, customer_id, id) where removed_at is null;
create index customer_cards_to_forget
  on customer_cards (environment_id, id) where removed_at is not null and sealed_token is not null;
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
  phone text not null,
  -- How many cards were refused on a link's page: after a few it takes no more, so that nobody finds out with it which
  -- stolen cards still work.
  declines integer not null default 0 check (declines >= 0),
  -- A card is with one account of ours at a processor, and so is everything that is done with it: a link goes to the
  -- connection that is open when it is made, its card stays there, and a charge goes to the connection of its card. A
  -- refund goes where its charge is. What the simulated network has is bound to none.
  connection_id uuid,
  sealed_redirect_url bytea,
  primary key (environment_id, id),
  foreign key (environment_id, card_id) references customer_cards (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  constraint card_links_card_token check (sealed_card_token is null or status = 'processing'),
  check ((status = 'linked') = (card_id is not null)),
  constraint card_links_check1 check ((status = 'declined') = (failure_code is not null)),
  constraint card_links_redirect_url check (sealed_redirect_url is null or (status = 'processing'
    and sealed_card_token is null))
);
create index card_links_asked on card_links (environment_id, id) where status = 'processing';
create index card_links_by_customer on card_links (environment_id, customer_id, created_at);
-- Looked up before the environment is known, so the hash alone is unique.
create unique index card_links_by_token on card_links (token_hash);
-- A processor names a charge or a try to link by our id only.
create index card_links_of_connection on card_links (connection_id, attempt_id) where connection_id is not null;
create index card_links_open on card_links (environment_id, customer_id) where status in ('pending', 'declined');
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
  connection_id uuid,
  -- The address where a holder confirms a charge at the bank. Anybody who has it could, so it is sealed, and gone as
  -- soon as the charge has ended.
  sealed_confirm_url bytea,
  primary key (environment_id, id),
  foreign key (environment_id, card_id) references customer_cards (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id),
  check ((kind = 'repayment') = (reference is not null)),
  constraint card_charges_check1 check ((status = 'failed') = (failure_code is not null)),
  constraint card_charges_check2 check ((status = 'successful') = (repayment_id is not null)),
  constraint card_charges_check3 check ((status = 'processing') = (completed_at is null)),
  constraint card_charges_confirm_url check (sealed_confirm_url is null or status = 'processing')
);
create index card_charges_asked on card_charges (environment_id, id) where status = 'processing';
create index card_charges_by_customer on card_charges (environment_id, customer_id, id);
create index card_charges_by_loan on card_charges (environment_id, loan_id, id);
create unique index card_charges_by_reference on card_charges (environment_id, reference) where reference is not null;
create index card_charges_of_connection on card_charges (connection_id, id) where connection_id is not null;
create index card_charges_sent_to_connection
  on card_charges (connection_id, created_at) where connection_id is not null;
create unique index card_charges_under_way on card_charges (environment_id, loan_id) where status = 'processing';
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

-- Credit of a checkout loan on its way back to the card that paid: a part of one charge. The row is there before the
-- card network is asked, under the id that the network knows it by, and holds that much of the credit until it ends.
create table card_refunds (
  environment_id uuid not null references environments (id),
  id uuid not null,
  loan_id uuid not null,
  charge_id uuid not null,
  -- The merchant's; claimed among the references of all refunds of credit.
  reference text not null check (length(reference) between 1 and 100),
  amount bigint not null check (amount > 0),
  status text not null check (status in ('processing', 'successful', 'failed')),
  failure_code text,
  failure_message text,
  queries integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  -- When a refund was last ordered. Some processors have no id for refunds: of two that would order one again at the
  -- same moment, only one may.
  sent_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, charge_id) references card_charges (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id),
  check ((status = 'failed') = (failure_code is not null)),
  constraint card_refunds_check1 check ((status = 'processing') = (completed_at is null))
);
create index card_refunds_asked on card_refunds (environment_id, id) where status = 'processing';
create index card_refunds_by_loan on card_refunds (environment_id, loan_id, id);
create index card_refunds_by_time on card_refunds (created_at);
create index card_refunds_of_charge on card_refunds (environment_id, charge_id);
call protect_tenant_table('card_refunds');
grant select, insert, update on card_refunds to jara_app;

-- Cards that a network refused to link, where it told which: a thief who guesses at one card goes from customer to
-- customer and from merchant to merchant. Only the keyed hash of the card's fingerprint is kept. An exchange of the
-- master key starts these counts again, as a day does.
create table refused_cards (
  environment_id uuid not null references environments (id),
  -- The try's own.
  id uuid not null,
  fingerprint_index bytea not null,
  refused_at timestamptz not null,
  primary key (environment_id, id)
);
create index refused_cards_by_any_fingerprint on refused_cards (fingerprint_index, refused_at);
call protect_tenant_table('refused_cards');
grant select, insert on refused_cards to jara_app;

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
  -- What an order consists of: [{ name, quantity, amount in kobo }], shown on its page. Empty where nothing was said.
  items jsonb not null default '[]',
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id),
  check (status <> 'completed' or loan_id is not null)
);
create index checkout_sessions_by_customer on checkout_sessions (environment_id, customer_id, id);
create unique index checkout_sessions_by_loan on checkout_sessions (environment_id, loan_id) where loan_id is not null;
-- One that expired or was cancelled leaves its order free for another.
create unique index checkout_sessions_by_order
  on checkout_sessions (environment_id, order_reference) where status in ('open', 'completed');
-- Checkout sessions are listed by status or customer, newest first.
create index checkout_sessions_by_status on checkout_sessions (environment_id, status, id);
-- Looked up before the environment is known, so the hash alone is unique.
create unique index checkout_sessions_by_token on checkout_sessions (token_hash);
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
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id)
);
-- Looked up before the environment is known, so the hash alone is unique.
create unique index plan_pages_by_token on plan_pages (token_hash);
create unique index plan_pages_current on plan_pages (environment_id, loan_id) where replaced_at is null;
call protect_tenant_table('plan_pages');
grant select, insert, update (sealed_token, replaced_at) on plan_pages to jara_app;

-- A code that was sent to a customer, who answers it to consent to a loan. Only a keyed hash of it is here, and the
-- terms that it was sent for. Tries are counted before they are compared.
create table consent_codes (
  environment_id uuid not null references environments (id),
  id uuid not null,
  loan_id uuid,
  customer_id uuid not null,
  code_hash bytea not null check (length(code_hash) = 32),
  terms jsonb not null,
  terms_hash bytea not null check (length(terms_hash) = 32),
  channel text not null check (channel = 'sms'),
  -- E.164, and what of it may be shown.
  phone text not null,
  destination text not null,
  message_id uuid not null,
  -- What became of the message.
  message_status text not null default 'waiting' check (message_status in ('waiting', 'sent', 'refused', 'unclear')),
  message_tries integer not null default 0,
  attempts integer not null default 0 check (attempts between 0 and 5),
  -- Replaced by a later code, or answered.
  status text not null default 'live' check (status in ('live', 'replaced', 'used')),
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  change_id uuid,
  -- A code also answers for a plan's page: its door.
  page_id uuid,
  -- A gateway that does not know our message ids is tried twice at most, by one worker at a time: a try that has begun
  -- in real time and not ended keeps others away. After the last one nobody may know whether the message was carried.
  message_tried_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, change_id) references contact_changes (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id),
  foreign key (environment_id, page_id) references plan_pages (environment_id, id),
  constraint consent_codes_one_subject check (num_nonnulls(loan_id, change_id, page_id) = 1)
);
create index consent_codes_by_customer on consent_codes (environment_id, customer_id, sent_at);
create index consent_codes_by_loan on consent_codes (environment_id, loan_id, sent_at);
create unique index consent_codes_live on consent_codes (environment_id, loan_id) where status = 'live';
create unique index consent_codes_live_change
  on consent_codes (environment_id, change_id) where status = 'live' and change_id is not null;
create unique index consent_codes_live_page
  on consent_codes (environment_id, page_id) where status = 'live' and page_id is not null;
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
  channel text not null check (channel = 'sms'),
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

-- The SMS with the page's address, once for each loan that is paid out.
create table plan_link_messages (
  environment_id uuid not null references environments (id),
  loan_id uuid not null,
  message_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'refused', 'unclear')),
  tries integer not null default 0,
  created_at timestamptz not null,
  tried_at timestamptz,
  primary key (environment_id, loan_id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id)
);
create index plan_link_messages_waiting on plan_link_messages (environment_id, loan_id) where status = 'waiting';
call protect_tenant_table('plan_link_messages');
grant select, insert, update (status, tries, tried_at) on plan_link_messages to jara_app;

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
create index plan_visits_by_page on plan_visits (environment_id, page_id);
create unique index plan_visits_by_token on plan_visits (token_hash);
call protect_tenant_table('plan_visits');
grant select, insert, update (left_at) on plan_visits to jara_app;

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
