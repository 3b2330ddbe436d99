-- A gateway that does not know our message ids is tried twice at most, by one worker at a time: a try that has begun in
-- real time and not ended keeps others away. After the last one nobody may know whether the message was carried.
alter table consent_codes add column message_tried_at timestamptz;
alter table consent_codes drop constraint consent_codes_message_status_check;
alter table consent_codes add constraint consent_codes_message_status_check
  check (message_status in ('waiting', 'sent', 'refused', 'unclear'));
alter table plan_link_messages add column tried_at timestamptz;
alter table plan_link_messages drop constraint plan_link_messages_status_check;
alter table plan_link_messages add constraint plan_link_messages_status_check
  check (status in ('waiting', 'sent', 'refused', 'unclear'));
grant update (tried_at) on plan_link_messages to jara_app;
