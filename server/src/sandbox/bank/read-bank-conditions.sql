-- Every name enquiry asks how a bank is: the few conditions that differ are read together, for all sandboxes.
create or replace function read_bank_conditions(at_most integer)
  returns table (sandbox uuid, nip_code text, condition text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.sandbox, c.nip_code, c.condition from simulated_bank.conditions c limit at_most;
  end;
alter function read_bank_conditions owner to jara_lookup;
revoke execute on function read_bank_conditions from public;
grant execute on function read_bank_conditions to jara_app;
