-- Codes and addresses of plans that no gateway has carried yet, by the age that they have in their sandbox's time.
create or replace view queue_of_messages with (security_invoker = true) as
  select m.environment_id, m.sent_at + (clock_timestamp() - time_on(c, clock_timestamp())) as since,
    null::timestamptz as booked_for
  from (
    select o.environment_id, o.sent_at from consent_codes o where o.message_status = 'waiting' and o.status = 'live'
    union all
    select l.environment_id, l.created_at from plan_link_messages l where l.status = 'waiting') m
  left join environment_clocks c on c.environment_id = m.environment_id;
grant select on queue_of_messages to jara_lookup;
