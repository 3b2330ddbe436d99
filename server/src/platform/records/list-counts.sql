create or replace function minute_of(moment timestamptz) returns integer
  language sql immutable parallel safe
  return floor(date_part('epoch', moment) / 60)::integer;

-- What the counts must come to.
create or replace view final_records with (security_invoker = true) as
  select t.environment_id, 'transfers' as resource, t.status, minute_of(t.created_at) as minute
  from transfers t where t.completed_at is not null and t.purpose = 'payout'
  union all
  select b.environment_id, 'bills', b.status, minute_of(b.created_at) from bills b where b.completed_at is not null;
grant select on final_records to jara_app;

-- Where they do not. One statement sees one moment, so servers may go on meanwhile.
create or replace view list_count_differences with (security_invoker = true) as
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
grant select on list_count_differences to jara_app;

-- Rows are deleted and counted in one statement, so a delta that commits late is left for the next time. One at a time;
-- the reset of a sandbox holds the same lock as it holds for balances, so nothing of before comes back after it.
create or replace function fold_list_counts() returns integer
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
alter function fold_list_counts owner to jara_lookup;
revoke execute on function fold_list_counts from public;
grant execute on function fold_list_counts to jara_app;

-- Adds what is missing, and takes away what is too much: for rows that somebody wrote past these functions. Returns how
-- many minutes were wrong.
create or replace function catch_up_list_counts() returns bigint
  language sql as $$
  with added as (
    insert into list_count_deltas (environment_id, resource, status, minute, change)
    select d.environment_id, d.resource, d.status, d.bucket, d.expected - d.found
    from list_count_differences d where d.level = 0
    returning 1
  )
  select count(*) from added
$$;
revoke execute on function catch_up_list_counts from public;
