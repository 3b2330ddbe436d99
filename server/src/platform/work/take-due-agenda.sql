-- Takes what is due in running environments, of the kinds that this process knows. The caller makes jobs of it in the
-- same transaction; several may take at once and each entry goes to one of them.
create or replace function take_due_agenda(known_kinds text[], at_most integer)
  returns table (environment_id uuid, kind text, subject text, payload jsonb, due_at timestamptz, is_live boolean)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with live as materialized (
      select d.environment_id, d.id from environments e cross join lateral (
        select a.environment_id, a.id from agenda a
        where a.environment_id = e.id and a.due_at <= clock_timestamp() and a.wake_at is not null
          and a.kind = any (known_kinds)
        order by a.due_at, a.id
        limit at_most
        for update skip locked) as d
      where e.kind = 'LIVE'
      limit at_most
    ), others as materialized (
      select a.environment_id, a.id from agenda a
      where a.wake_at <= clock_timestamp() and a.kind = any (known_kinds)
        and not exists (select from environments e where e.id = a.environment_id and e.kind = 'LIVE')
      order by a.wake_at
      limit greatest(at_most - (select count(*) from live), 0)
      for update skip locked
    ), due as (
      select l.environment_id, l.id, true as is_live from live l
      union all select o.environment_id, o.id, false from others o
    )
    delete from agenda a using due
    where a.environment_id = due.environment_id and a.id = due.id
    returning a.environment_id, a.kind, a.subject, a.payload, a.due_at, due.is_live;
end
$$;
alter function take_due_agenda owner to jara_lookup;
revoke execute on function take_due_agenda from public;
grant execute on function take_due_agenda to jara_app;
