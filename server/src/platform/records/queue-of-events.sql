-- Events without a place in the log. A sandbox's clock may be moved, so their age is reckoned by it.
create or replace view queue_of_events with (security_invoker = true) as
  select e.environment_id, e.created_at + n.behind as since, null::timestamptz as booked_for
  from events e
  left join environment_clocks c on c.environment_id = e.environment_id
  cross join lateral (
    select clock_timestamp() - case when c.mode = 'frozen' then c.frozen_at
      else clock_timestamp() + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end as behind) n
  where e.list_position is null;
grant select on queue_of_events to jara_lookup;
