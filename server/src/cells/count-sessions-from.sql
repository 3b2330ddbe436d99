-- Lets this database count sessions in a range of its own, unless it does already.
create or replace procedure count_sessions_from(first bigint)
  language plpgsql as $$
begin
  perform setval('transfer_session_numbers', s.last_value + first) from transfer_session_numbers s
  where s.last_value < first;
end
$$;
