-- What a merchant paid back for a borrower: an order was refunded, in whole or in part, and the plan shrank by it. What
-- each did to the plan is not stored but follows from the order of all that happened to the loan.
create table loan_reductions (
  environment_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  -- The account's version that recorded it.
  sequence integer not null,
  reference text not null check (length(reference) between 1 and 100),
  reason text not null check (length(reason) between 1 and 500),
  -- The merchant's wallet that paid.
  wallet_id uuid not null,
  amount bigint not null check (amount > 0),
  recorded_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, account_id) references loan_accounts (environment_id, id)
);
create unique index loan_reductions_by_account on loan_reductions (environment_id, account_id, sequence);
-- Nothing takes a refund back. Only the reset of a sandbox deletes.
create trigger loan_reductions_append_only before update on loan_reductions
  for each row execute function refuse_change();
call protect_tenant_table('loan_reductions');
grant select, insert on loan_reductions to jara_app;
