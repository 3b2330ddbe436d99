-- Notes when keys were last used, many at a time and of all environments: the server gathers uses and writes rarely.
create or replace function touch_api_keys(key_ids uuid[], used_at timestamptz[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Rows are locked in the order of their ids, so that two servers writing at once wait for each other.
  perform from api_keys k where k.id = any (key_ids) order by k.id for no key update;
  update api_keys k set last_used_at = u.at
  from unnest(key_ids, used_at) as u (id, at)
  where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at);
end
$$;
alter function touch_api_keys owner to jara_lookup;
revoke execute on function touch_api_keys from public;
grant execute on function touch_api_keys to jara_app;
