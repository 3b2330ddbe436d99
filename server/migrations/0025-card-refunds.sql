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
  primary key (environment_id, id),
  foreign key (environment_id, loan_id) references checkout_loans (environment_id, id),
  foreign key (environment_id, charge_id) references card_charges (environment_id, id),
  check ((status = 'failed') = (failure_code is not null)),
  check ((status = 'processing') = (completed_at is null))
);
create index card_refunds_by_loan on card_refunds (environment_id, loan_id, id);
create index card_refunds_asked on card_refunds (environment_id, id) where status = 'processing';
call protect_tenant_table('card_refunds');
grant select, insert, update on card_refunds to jara_app;

-- Of all environments: refunds whose outcome the card network owes.
create function find_owed_card_refunds(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.environment_id, r.id from card_refunds r
    where r.status = 'processing' and (r.environment_id, r.id) > (after_environment, after_id)
    order by r.environment_id, r.id limit at_most;
  end;
alter function find_owed_card_refunds(uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_owed_card_refunds(uuid, uuid, integer) from public;
grant execute on function find_owed_card_refunds(uuid, uuid, integer) to jara_app;
