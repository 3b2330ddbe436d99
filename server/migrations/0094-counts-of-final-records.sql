-- A filtered list shows how many records match. They are not counted each time: a record becomes final once, and is
-- counted then, by the minute of its making. What is open is few and counted over its indexes (docs/adr/0030).

create function minute_of(moment timestamptz) returns integer
  language sql immutable parallel safe
  return floor(date_part('epoch', moment) / 60)::integer;

-- What batches add: one row for each minute and status that they touch, so that no two wait for one another.
create table list_count_deltas (
  environment_id uuid not null,
  minute integer not null,
  change integer not null,
  resource text not null,
  status text not null
);
create index list_count_deltas_of_environment on list_count_deltas (environment_id);

-- What was folded of it. A bucket of level n is 64^n minutes long, so any span is a few buckets of each level.
create table list_counts (
  environment_id uuid not null,
  resource text not null,
  status text not null,
  level smallint not null check (level between 0 and 3),
  bucket integer not null,
  total bigint not null,
  primary key (environment_id, resource, status, level, bucket)
) with (fillfactor = 70);
call protect_tenant_table('list_count_deltas');
call protect_tenant_table('list_counts');
grant select, insert on list_count_deltas to jara_app;
grant select on list_counts to jara_app;
grant insert, update on list_counts to jara_lookup;

-- Rows are deleted and counted in one statement, so a delta that commits late is left for the next time. One at a time;
-- the reset of a sandbox holds the same lock as it holds for balances, so nothing of before comes back after it.
create function fold_list_counts() returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  folded integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('jara.fold_account_deltas')) then
    return 0;
  end if;
  with taken as (
    delete from list_count_deltas returning environment_id, resource, status, minute, change
  ), minutes as (
    select t.environment_id, t.resource, t.status, t.minute, sum(t.change) as change
    from taken t group by t.environment_id, t.resource, t.status, t.minute
  ), kept as (
    insert into list_counts as c (environment_id, resource, status, level, bucket, total)
    select m.environment_id, m.resource, m.status, l.level, m.minute >> (6 * l.level), sum(m.change)
    from minutes m cross join generate_series(0, 3) as l (level)
    group by m.environment_id, m.resource, m.status, l.level, m.minute >> (6 * l.level)
    having sum(m.change) <> 0
    on conflict (environment_id, resource, status, level, bucket) do update set total = c.total + excluded.total
  )
  select count(*) into folded from taken;
  return folded;
end
$$;
alter function fold_list_counts() owner to jara_lookup;
revoke execute on function fold_list_counts() from public;
grant execute on function fold_list_counts() to jara_app;

-- As before, and what became final is counted. Of final states only the one that the money left is left again, for
-- `reversed`.
create or replace function move_transfers(moment timestamptz, ids uuid[], from_statuses text[], to_statuses text[],
    failure_codes text[], failure_messages text[]) returns setof transfers
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  environment constant uuid := current_environment();
begin
  return query
    with moved as (
      update transfers t set status = w.to_status, version = t.version + 1, updated_at = moment,
        completed_at = coalesce(t.completed_at, moment), failure_code = w.failure_code,
        failure_message = w.failure_message, claim_at = null
      from unnest(ids, from_statuses, to_statuses, failure_codes, failure_messages)
        as w (id, from_status, to_status, failure_code, failure_message)
      where t.environment_id = environment and t.id = any (ids) and t.id = w.id and t.status = w.from_status
      returning t.*
    ), counted as (
      insert into list_count_deltas (environment_id, resource, status, minute, change)
      select environment, 'transfers', c.status, minute_of(m.created_at), sum(c.change)
      from moved m cross join lateral (
        select m.status, 1 union all select 'completed', -1 where m.status = 'reversed') as c (status, change)
      where m.purpose = 'payout'
      group by c.status, minute_of(m.created_at)
    )
    select m.* from moved m;
end
$$;

create or replace function move_bills(moment timestamptz, ids uuid[], from_statuses text[], to_statuses text[],
    failure_codes text[], failure_messages text[], tokens text[], delivered_units numeric[], receipt_numbers text[])
  returns setof bills
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  environment constant uuid := current_environment();
begin
  return query
    with moved as (
      update bills b set status = w.to_status, version = b.version + 1, updated_at = moment,
        completed_at = coalesce(b.completed_at, moment), failure_code = w.failure_code,
        failure_message = w.failure_message, token = coalesce(w.token, b.token), units = coalesce(w.units, b.units),
        receipt_number = coalesce(w.receipt_number, b.receipt_number), claim_at = null
      from unnest(ids, from_statuses, to_statuses, failure_codes, failure_messages, tokens, delivered_units,
          receipt_numbers)
        as w (id, from_status, to_status, failure_code, failure_message, token, units, receipt_number)
      where b.environment_id = environment and b.id = any (ids) and b.id = w.id and b.status = w.from_status
      returning b.*
    ), counted as (
      insert into list_count_deltas (environment_id, resource, status, minute, change)
      select environment, 'bills', c.status, minute_of(m.created_at), sum(c.change)
      from moved m cross join lateral (
        select m.status, 1 union all select 'successful', -1 where m.status = 'reversed') as c (status, change)
      group by c.status, minute_of(m.created_at)
    )
    select m.* from moved m;
end
$$;

-- What the counts must come to.
create view final_records with (security_invoker = true) as
  select t.environment_id, 'transfers' as resource, t.status, minute_of(t.created_at) as minute
  from transfers t where t.completed_at is not null and t.purpose = 'payout'
  union all
  select b.environment_id, 'bills', b.status, minute_of(b.created_at) from bills b where b.completed_at is not null;

-- Where they do not. One statement sees one moment, so servers may go on meanwhile.
create view list_count_differences with (security_invoker = true) as
  select s.environment_id, s.resource, s.status, s.level, s.bucket, sum(s.expected)::bigint as expected,
    sum(s.found)::bigint as found
  from (
    select m.environment_id, m.resource, m.status, l.level, m.minute >> (6 * l.level) as bucket, m.expected, m.found
    from (
      select r.environment_id, r.resource, r.status, r.minute, count(*) as expected, 0 as found
      from final_records r group by r.environment_id, r.resource, r.status, r.minute
      union all
      select d.environment_id, d.resource, d.status, d.minute, 0, d.change from list_count_deltas d) m
    cross join generate_series(0, 3) as l (level)
    union all
    select c.environment_id, c.resource, c.status, c.level, c.bucket, 0, c.total from list_counts c) s
  group by s.environment_id, s.resource, s.status, s.level, s.bucket
  having sum(s.expected) <> sum(s.found);
grant select on final_records, list_count_differences to jara_app;

-- Adds what is missing, and takes away what is too much: for records from before this file, and for rows that somebody
-- wrote past these functions. Returns how many minutes were wrong.
create function catch_up_list_counts() returns bigint
  language sql as $$
  with added as (
    insert into list_count_deltas (environment_id, resource, status, minute, change)
    select d.environment_id, d.resource, d.status, d.bucket, d.expected - d.found
    from list_count_differences d where d.level = 0
    returning 1
  )
  select count(*) from added
$$;
revoke execute on function catch_up_list_counts() from public;
