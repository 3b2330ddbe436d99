-- Of all environments: refunds whose outcome the card network owes.
create or replace function find_owed_card_refunds(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.environment_id, r.id from card_refunds r
    where r.status = 'processing' and (r.environment_id, r.id) > (after_environment, after_id)
    order by r.environment_id, r.id limit at_most;
  end;
alter function find_owed_card_refunds owner to jara_lookup;
revoke execute on function find_owed_card_refunds from public;
grant execute on function find_owed_card_refunds to jara_app;
