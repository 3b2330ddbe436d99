-- Only the look-up role may delete, and it does so in one place: the reset of a sandbox.
create or replace function refuse_ledger_change() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_user = 'jara_lookup' then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
create or replace trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_ledger_change();
create or replace trigger ledger_transactions_append_only before update or delete or truncate on ledger_transactions
  for each statement execute function refuse_ledger_change();
