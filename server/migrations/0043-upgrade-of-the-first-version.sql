-- What is owed of loans that were out before 0030 counted as their whole amount until their next change. The ledger
-- knows better: what a loan's own postings, and those of its repayments, refunds of the order and refunds of credit,
-- left on the account of the lender's money that is out.
-- Row level security binds the owner too, who here works for all environments at once.
alter table checkout_loans no force row level security;
alter table loan_repayments no force row level security;
alter table loan_reductions no force row level security;
alter table loan_credit_refunds no force row level security;
alter table ledger_transactions no force row level security;
alter table entries no force row level security;
alter table accounts no force row level security;

with records as (
  select l.environment_id, l.reference as account_id, l.reference as id from checkout_loans l
  where l.status in ('disbursed', 'active', 'overdue')
  union all select r.environment_id, r.account_id, r.id from loan_repayments r
  union all select r.environment_id, r.account_id, r.id from loan_reductions r
  union all select r.environment_id, r.account_id, r.id from loan_credit_refunds r
), postings as (
  -- A record's first transaction has the record's own id.
  select r.environment_id, r.account_id, t.id from records r
  join ledger_transactions t on t.environment_id = r.environment_id and t.id = r.id
  union all
  select r.environment_id, r.account_id, t.id from records r
  join ledger_transactions t on t.environment_id = r.environment_id and t.resource_id = r.id
), owed as (
  select p.environment_id, p.account_id, sum(e.amount) as amount from postings p
  join entries e on e.environment_id = p.environment_id and e.transaction_id = p.id
  join accounts a on a.environment_id = e.environment_id and a.id = e.account_id and a.purpose = 'funds_lent'
  group by p.environment_id, p.account_id
)
update checkout_loans l set owed_principal = o.amount
from owed o
where o.environment_id = l.environment_id and o.account_id = l.reference
  and l.status in ('disbursed', 'active', 'overdue') and l.owed_principal <> o.amount;

alter table checkout_loans force row level security;
alter table loan_repayments force row level security;
alter table loan_reductions force row level security;
alter table loan_credit_refunds force row level security;
alter table ledger_transactions force row level security;
alter table entries force row level security;
alter table accounts force row level security;

-- Customers of the first version have no blind index of their NIN. Only a server has the key to make it, so a server
-- that starts looks whose are missing; when all are made the index below is empty and the look costs nothing.
create index customers_without_nin_index on customers (environment_id)
  where sealed_nin is not null and nin_index is null;
create function find_environments_to_index() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select distinct c.environment_id from customers c where c.sealed_nin is not null and c.nin_index is null order by 1;
  end;
alter function find_environments_to_index() owner to jara_lookup;
revoke execute on function find_environments_to_index() from public;
grant execute on function find_environments_to_index() to jara_app;
