-- Links that the person was given since a moment, and cards that were refused with them.
create or replace function read_link_tries(of_customer uuid, since timestamptz)
  returns table (links integer, declines integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select count(*)::integer, coalesce(sum(l.declines), 0)::integer
    from customers own
    join customers c on c.bvn_index = own.bvn_index and c.environment_id in (select lender_environments())
    join card_links l on l.environment_id = c.environment_id and l.customer_id = c.id
    where own.environment_id = current_environment() and own.id = of_customer and l.created_at >= since;
  end;
alter function read_link_tries owner to jara_lookup;
revoke execute on function read_link_tries from public;
grant execute on function read_link_tries to jara_app;
