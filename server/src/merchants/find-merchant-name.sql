-- What a page or a text shows as the shop's name. Merchants are the operator's rows: a tenant learns this word only.
create or replace function find_merchant_name() returns text
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select coalesce(p.display_name, m.name)
    from environments e
    join merchants m on m.id = e.merchant_id
    left join merchant_profiles p on p.environment_id = e.id
    where e.id = current_environment();
  end;
alter function find_merchant_name owner to jara_lookup;
revoke execute on function find_merchant_name from public;
grant execute on function find_merchant_name to jara_app;
