-- How many rows a list holds. A listed row takes the next number (list_position) when it is written, and since rows
-- are never deleted, any page is a range of numbers: no OFFSET, no COUNT. The row is locked until its transaction
-- ends, so that numbers become visible in order; hot writers therefore take theirs last, many at a time.
create table list_counters (
  environment_id uuid not null,
  resource text not null,
  total bigint not null check (total >= 0),
  primary key (environment_id, resource)
) with (fillfactor = 50);
call protect_tenant_table('list_counters');
grant select, insert, update on list_counters to jara_app, jara_lookup;

-- Takes `wanted` consecutive numbers and returns the first.
create function take_list_positions(list_resource text, wanted bigint) returns bigint
  language sql
  begin atomic
    insert into list_counters as counter (environment_id, resource, total)
    values (current_environment(), list_resource, wanted)
    on conflict (environment_id, resource) do update set total = counter.total + excluded.total
    returning counter.total - wanted + 1;
  end;
grant execute on function take_list_positions(text, bigint) to jara_app;

-- A reply kept under the caller's Idempotency-Key. The row commits together with the effect it stands for.
create table idempotency_keys (
  environment_id uuid not null,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null check (length(request_hash) = 32),
  status smallint,
  sealed_body bytea,
  created_at timestamptz not null default clock_timestamp(),
  primary key (environment_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
call protect_tenant_table('idempotency_keys');
grant select, insert, update, delete on idempotency_keys to jara_app;
-- Locking a row for deletion takes the right to update it.
grant select, update, delete on idempotency_keys to jara_lookup;

-- Claims keys for the running transaction. A key that a running twin holds is waited for, a few seconds at most, and
-- then answered with what the twin kept. Sorted, so that two batches never wait for each other in a circle.
create function claim_idempotency_keys(wanted_keys text[], wanted_hashes bytea[])
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
grant execute on function claim_idempotency_keys(text[], bytea[]) to jara_app;

create function purge_idempotency_keys(older_than timestamptz, at_most integer) returns integer
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
alter function purge_idempotency_keys(timestamptz, integer) owner to jara_lookup;
revoke execute on function purge_idempotency_keys(timestamptz, integer) from public;
grant execute on function purge_idempotency_keys(timestamptz, integer) to jara_app;
