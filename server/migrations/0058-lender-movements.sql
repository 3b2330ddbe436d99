-- Money that an operator puts into a lender's funds or takes out of them. Each piece of evidence (a line of the bank's
-- statement, an order to the bank) moves money once, whoever books it and under which reference.
create table lender_movements (
  environment_id uuid not null references environments (id),
  id uuid not null,
  list_position bigint not null,
  direction text not null check (direction in ('deposit', 'withdrawal')),
  amount bigint not null check (amount > 0),
  reference text not null check (length(reference) between 1 and 100),
  reason text not null,
  evidence text not null check (length(evidence) between 1 and 500),
  -- All that the lender has put in and not taken out, after this movement.
  funded_after bigint not null check (funded_after >= 0),
  created_at timestamptz not null,
  primary key (environment_id, id)
);
create unique index lender_movements_by_position on lender_movements (environment_id, list_position);
create unique index lender_movements_by_evidence on lender_movements (environment_id, lower(evidence));
call protect_tenant_table('lender_movements');
create trigger append_only before update on lender_movements for each row execute function refuse_change();
grant select, insert on lender_movements to jara_app;

-- What is promised to borrowers and not paid out yet: few rows of a table that grows for ever.
create index loan_accounts_approved on loan_accounts (environment_id) include (amount) where status = 'approved';
