-- What people pay by hand at the console. The same payment is not made twice by accident: each is looked for here,
-- under a lock, before another one is accepted. A payment is kept as what it pays, because an order that waits for a
-- second person has no transfers yet.
create table hand_payments (
  environment_id uuid not null references environments (id),
  -- The batch's or the approval's; of a payout that was paid at once, the attempt's own.
  id uuid not null,
  kind text not null check (kind in ('payout', 'batch')),
  -- Under which the transfer or batch is found.
  reference text not null,
  -- SHA-256 over recipients and amounts, in whatever order a file has them.
  content bytea not null,
  -- For each payout `bank code/account number/kobo`.
  payouts text[] not null,
  amount bigint not null check (amount > 0),
  person_id uuid not null,
  person_name text not null,
  -- Environment time. An approved order is paid when the second person agrees.
  made_at timestamptz not null,
  state text not null check (state in ('made', 'waiting', 'withdrawn')),
  primary key (environment_id, id)
);
create index hand_payments_lately on hand_payments (environment_id, made_at);
create index hand_payments_by_content on hand_payments (environment_id, content, made_at);
call protect_tenant_table('hand_payments');
grant select, insert, update (state, made_at) on hand_payments to jara_app;
