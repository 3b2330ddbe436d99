-- The rails of sandboxes keep their own books, and each sandbox sees its own page of them only, as with every other
-- table. What a server asks is bound to the sandbox that its statement names (sandbox/in-books.ts).
create procedure protect_simulated_table(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to jara_app using (sandbox = current_environment()) with check (sandbox = current_environment())',
    target);
  execute format('create policy lookup on %s to jara_lookup using (true) with check (true)', target);
end
$$;
call protect_simulated_table('simulated_bank.payments');
call protect_simulated_table('simulated_bank.conditions');
call protect_simulated_table('simulated_biller.vends');
call protect_simulated_table('simulated_card.tokens');
call protect_simulated_table('simulated_card.links');
call protect_simulated_table('simulated_card.charges');
call protect_simulated_table('simulated_card.refunds');
call protect_simulated_table('simulated_message.messages');

-- Every name enquiry asks how a bank is: the few conditions that differ are read together, for all sandboxes.
create function read_bank_conditions(at_most integer) returns table (sandbox uuid, nip_code text, condition text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.sandbox, c.nip_code, c.condition from simulated_bank.conditions c limit at_most;
  end;
alter function read_bank_conditions(integer) owner to jara_lookup;
revoke execute on function read_bank_conditions(integer) from public;
grant execute on function read_bank_conditions(integer) to jara_app;
