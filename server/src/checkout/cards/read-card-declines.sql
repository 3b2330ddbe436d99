-- Declines in a row, of the person's cards or of the same card under whatever person, since one of these charges was
-- paid; and when the last one was.
create or replace function read_card_declines(of_customer uuid, of_card uuid)
  returns table (declines integer, last_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with lender as (
      select lender_environments() as id
    ), charges as (
      select h.environment_id, h.id, h.status, h.completed_at from customers own
      join customers c on c.bvn_index = own.bvn_index and c.environment_id in (select id from lender)
      join card_charges h on h.environment_id = c.environment_id and h.customer_id = c.id
      where own.environment_id = current_environment() and own.id = of_customer
        and h.card_id is not null and h.status <> 'processing'
      union
      select h.environment_id, h.id, h.status, h.completed_at from customer_cards own
      join customer_cards k on k.fingerprint_index = own.fingerprint_index
        and k.environment_id in (select id from lender)
      join card_charges h on h.environment_id = k.environment_id and h.customer_id = k.customer_id and h.card_id = k.id
      where own.environment_id = current_environment() and own.id = of_card and h.status <> 'processing'
    )
    select count(*)::integer, max(completed_at) from charges
    where status = 'failed' and completed_at > coalesce(
      (select max(completed_at) from charges where status = 'successful'), '-infinity');
  end;
alter function read_card_declines owner to jara_lookup;
revoke execute on function read_card_declines from public;
grant execute on function read_card_declines to jara_app;
