create or replace function check_entries_balance() returns trigger
  language plpgsql as $$
begin
  if exists (select from inserted group by environment_id, transaction_id having sum(amount) <> 0) then
    raise exception 'the entries of a ledger transaction do not sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create or replace trigger entries_sum_to_zero after insert on entries
  referencing new table as inserted for each statement execute function check_entries_balance();
