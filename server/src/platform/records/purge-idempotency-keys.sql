create or replace function purge_idempotency_keys(older_than timestamptz, at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  purged integer;
begin
  delete from idempotency_keys where ctid in (
    select ctid from idempotency_keys where created_at < older_than limit at_most for update skip locked);
  get diagnostics purged = row_count;
  return purged;
end
$$;
alter function purge_idempotency_keys owner to jara_lookup;
revoke execute on function purge_idempotency_keys from public;
grant execute on function purge_idempotency_keys to jara_app;
