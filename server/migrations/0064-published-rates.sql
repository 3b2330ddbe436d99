-- Rates of bills and tariffs of payouts are published by operators. They get numbers, so that a later word for the same
-- date can replace an earlier one, and the time at which they were written: none counts before it was there.
alter table bill_rates add column version integer, add column created_at timestamptz not null default clock_timestamp();
update bill_rates r set version = n.place
from (select category, effective_from, row_number() over (partition by category order by effective_from) as place
      from bill_rates) n
where n.category = r.category and n.effective_from = r.effective_from;
alter table bill_rates alter column version set not null, drop constraint bill_rates_pkey,
  add primary key (category, version), add check (version > 0);
-- Rows from before are older than the rule.
alter table bill_rates add constraint bill_rates_not_for_the_past check (effective_from >= created_at) not valid;
alter table bill_rates enable row level security;
alter table bill_rates force row level security;
create policy everybody_reads on bill_rates for select to jara_app using (true);
create policy operator_adds on bill_rates for insert to jara_app with check (in_operator_scope());
grant insert on bill_rates to jara_app;

alter table transfer_tariffs add column version integer,
  add column created_at timestamptz not null default clock_timestamp();
update transfer_tariffs t set version = n.place
from (select effective_from, row_number() over (order by effective_from) as place from transfer_tariffs) n
where n.effective_from = t.effective_from;
alter table transfer_tariffs alter column version set not null, drop constraint transfer_tariffs_pkey,
  add primary key (version), add check (version > 0);
alter table transfer_tariffs add constraint transfer_tariffs_not_for_the_past check (effective_from >= created_at)
  not valid;
alter table transfer_tariffs enable row level security;
alter table transfer_tariffs force row level security;
create policy everybody_reads on transfer_tariffs for select to jara_app using (true);
create policy operator_adds on transfer_tariffs for insert to jara_app with check (in_operator_scope());
grant insert on transfer_tariffs to jara_app;
