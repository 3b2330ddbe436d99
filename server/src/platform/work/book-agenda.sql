-- Books entries [{kind, subject, payload, dueAt}] of the entered environment, in their order. The clock's row is read
-- and shared once for all of them.
create or replace function book_agenda(entries jsonb) returns void
  language sql begin atomic
  with clock as materialized (
    select c.mode, c.offset_ms from environment_clocks c where c.environment_id = current_environment() for share
  )
  insert into agenda as booked (environment_id, kind, subject, payload, due_at, wake_at, stream)
  select current_environment(), listed.entry ->> 'kind', listed.entry ->> 'subject',
    coalesce(listed.entry -> 'payload', '{}'::jsonb), (listed.entry ->> 'dueAt')::timestamptz,
    case when clock.mode is distinct from 'frozen'
      then (listed.entry ->> 'dueAt')::timestamptz - coalesce(clock.offset_ms, 0) * interval '1 millisecond' end,
    listed.entry ->> 'stream'
  from jsonb_array_elements(entries) with ordinality as listed (entry, place)
  left join clock on true
  order by listed.place
  on conflict (environment_id, kind, subject) do update set payload = excluded.payload, due_at = excluded.due_at,
    wake_at = excluded.wake_at, stream = excluded.stream, booked_at = excluded.booked_at,
    booking = booked.booking + 1;
end;
grant execute on function book_agenda to jara_app;
