-- Open checkouts of all environments that time will end. One whose loan is granted is ended by the loan.
create or replace function find_open_checkout_sessions(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select s.environment_id, s.id from checkout_sessions s
    where s.status = 'open' and (s.environment_id, s.id) > (after_environment, after_id)
      and not exists (select from checkout_loans l where l.environment_id = s.environment_id and l.id = s.loan_id
        and l.status in ('approved', 'disbursed'))
    order by s.environment_id, s.id limit at_most;
  end;
alter function find_open_checkout_sessions owner to jara_lookup;
revoke execute on function find_open_checkout_sessions from public;
grant execute on function find_open_checkout_sessions to jara_app;
