-- Milliseconds until the next entry of a running environment falls due; null when there is none.
create or replace function next_agenda_wake_ms(known_kinds text[]) returns double precision
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    select extract(epoch from a.wake_at - clock_timestamp()) * 1000 from agenda a
    where a.wake_at is not null and a.kind = any (known_kinds)
    order by a.wake_at limit 1;
  end;
alter function next_agenda_wake_ms owner to jara_lookup;
revoke execute on function next_agenda_wake_ms from public;
grant execute on function next_agenda_wake_ms to jara_app;
