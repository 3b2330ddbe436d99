-- Of all environments: tokens that a network is to forget, and collections that wait for their day.
create or replace function find_card_work(wanted text, after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select w.environment_id, w.id from (
      select c.environment_id, c.id from customer_cards c
      where c.removed_at is not null and c.sealed_token is not null and wanted = 'unlink'
      union all
      select c.environment_id, c.loan_id from card_collections c where c.next_at is not null and wanted = 'collection'
    ) w
    where (w.environment_id, w.id) > (after_environment, after_id)
    order by w.environment_id, w.id limit at_most;
  end;
alter function find_card_work owner to jara_lookup;
revoke execute on function find_card_work from public;
grant execute on function find_card_work to jara_app;
