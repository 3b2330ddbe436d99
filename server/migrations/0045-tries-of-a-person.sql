-- Whoever tries cards out is counted over all of a lender's environments: all LIVE ones are one lender, each sandbox is
-- one. A person is whoever has the customer's BVN. Sums go out, never rows.
create function lender_environments() returns setof uuid
  language sql stable
  begin atomic
    select e.id from environments e join environments own on own.id = current_environment()
    where e.id = own.id or (e.kind = 'LIVE' and own.kind = 'LIVE');
  end;

-- Links that the person was given since a moment, and cards that were refused with them.
create function read_link_tries(of_customer uuid, since timestamptz) returns table (links integer, declines integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select count(*)::integer, coalesce(sum(l.declines), 0)::integer
    from customers own
    join customers c on c.bvn_index = own.bvn_index and c.environment_id in (select lender_environments())
    join card_links l on l.environment_id = c.environment_id and l.customer_id = c.id
    where own.environment_id = current_environment() and own.id = of_customer and l.created_at >= since;
  end;

-- Declines in a row, of the person's cards or of the same card under whatever person, since one of these charges was
-- paid; and when the last one was.
create function read_card_declines(of_customer uuid, of_card uuid)
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

alter function read_link_tries(uuid, timestamptz) owner to jara_lookup;
alter function read_card_declines(uuid, uuid) owner to jara_lookup;
revoke execute on function lender_environments() from public;
revoke execute on function read_link_tries(uuid, timestamptz) from public;
revoke execute on function read_card_declines(uuid, uuid) from public;
grant execute on function lender_environments() to jara_lookup;
grant execute on function read_link_tries(uuid, timestamptz) to jara_app;
grant execute on function read_card_declines(uuid, uuid) to jara_app;
