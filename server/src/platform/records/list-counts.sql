create or replace function minute_of(moment timestamptz) returns integer
  language sql immutable parallel safe
  return floor(date_part('epoch', moment) / 60)::integer;

-- Where the counts are not what the records come to, of one environment or, without one, of all that the caller may
-- see. What is counted of a resource is a view `final_records_of_<resource>` in its room. One statement sees one
-- moment, so servers may go on meanwhile.
create or replace function compare_list_counts(wanted_environment uuid)
  returns table (environment_id uuid, resource text, status text, level integer, bucket integer, expected bigint,
    found bigint)
  language plpgsql stable as $$
declare
  final text;
begin
  select string_agg(format('select r.environment_id, %L::text, r.status, minute_of(r.created_at) from %I r '
      'where r.environment_id = coalesce($1, r.environment_id)',
      substr(c.relname, length('final_records_of_') + 1), c.relname), ' union all ')
    into final
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relname ^@ 'final_records_of_';
  return query execute format($query$
    with final (environment_id, resource, status, minute) as (%s)
    select s.environment_id, s.resource, s.status, s.level, s.bucket, sum(s.expected)::bigint, sum(s.found)::bigint
    from (
      select m.environment_id, m.resource, m.status, l.level, m.minute >> (6 * l.level) as bucket, m.expected, m.found
      from (
        select r.environment_id, r.resource, r.status, r.minute, count(*) as expected, 0 as found
        from final r group by r.environment_id, r.resource, r.status, r.minute
        union all
        select d.environment_id, d.resource, d.status, d.minute, 0, d.change from list_count_deltas d
        where d.environment_id = coalesce($1, d.environment_id)) m
      cross join generate_series(0, 3) as l (level)
      union all
      select c.environment_id, c.resource, c.status, c.level, c.bucket, 0, c.total from list_counts c
      where c.environment_id = coalesce($1, c.environment_id)) s
    group by s.environment_id, s.resource, s.status, s.level, s.bucket
    having sum(s.expected) <> sum(s.found) $query$, final) using wanted_environment;
end
$$;
revoke execute on function compare_list_counts from public;
grant execute on function compare_list_counts to jara_app;

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
    from compare_list_counts(null) d where d.level = 0
    returning 1
  )
  select count(*) from added
$$;
revoke execute on function catch_up_list_counts from public;
