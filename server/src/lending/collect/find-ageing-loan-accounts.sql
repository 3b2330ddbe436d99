-- Accounts of all environments that time will change, for the sweeper.
create or replace function find_ageing_loan_accounts(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select a.environment_id, a.id from loan_accounts a
    where a.ages_at is not null and (a.environment_id, a.id) > (after_environment, after_id)
    order by a.environment_id, a.id limit at_most;
  end;
alter function find_ageing_loan_accounts owner to jara_lookup;
revoke execute on function find_ageing_loan_accounts from public;
grant execute on function find_ageing_loan_accounts to jara_app;
