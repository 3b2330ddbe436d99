-- Claims keys for the running transaction. A key that a running twin holds is waited for, a few seconds at most, and
-- then answered with what the twin kept. Sorted, so that two batches never wait for each other in a circle.
create or replace function claim_idempotency_keys(wanted_keys text[], wanted_hashes bytea[])
  returns table (key text, claimed boolean, request_hash bytea, status smallint, sealed_body bytea)
  language plpgsql set lock_timeout = '5s' as $$
#variable_conflict use_column
declare
  fresh text[];
begin
  with made as (
    insert into idempotency_keys (environment_id, key, request_hash)
    select current_environment(), w.key, w.hash
    from unnest(wanted_keys, wanted_hashes) as w (key, hash)
    order by w.key
    on conflict do nothing
    returning idempotency_keys.key
  )
  select coalesce(array_agg(made.key), '{}') into fresh from made;
  return query
    select k.key, k.key = any (fresh), k.request_hash, k.status, k.sealed_body
    from idempotency_keys k
    where k.environment_id = current_environment() and k.key = any (wanted_keys);
end
$$;
grant execute on function claim_idempotency_keys to jara_app;
