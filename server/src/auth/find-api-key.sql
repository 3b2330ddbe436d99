-- The key with this hash, and all that its caller may do.
create or replace function find_api_key(key_hash bytea)
  returns table (
    key_id uuid, environment_id uuid, environment_kind text, merchant_id uuid, scopes text[],
    allowed_addresses text[], expires_at timestamptz, revoked_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select k.id, k.environment_id, e.kind, e.merchant_id, k.scopes, k.allowed_addresses, k.expires_at, k.revoked_at
    from api_keys k join environments e on e.id = k.environment_id
    where k.hash = key_hash;
  end;
alter function find_api_key owner to jara_lookup;
revoke execute on function find_api_key from public;
grant execute on function find_api_key to jara_app;
