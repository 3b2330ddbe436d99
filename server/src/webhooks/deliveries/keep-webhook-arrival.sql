-- What is sent again keeps what became of it before, as a try of its own.
create or replace function keep_webhook_arrival() returns trigger language plpgsql as $$
begin
  insert into webhook_attempts (environment_id, event_id, endpoint_id, at, sent_at, response_status, duration_ms,
    response_body)
  values (old.environment_id, old.event_id, old.endpoint_id, old.completed_at, old.arrival_sent_at, old.arrival_status,
    old.arrival_ms, old.arrival_body);
  return null;
end
$$;
create or replace trigger keep_arrival after update on webhook_deliveries
  for each row when (old.status = 'delivered' and old.arrival_sent_at is not null
    and (new.status <> 'delivered' or new.arrival_sent_at is distinct from old.arrival_sent_at))
  execute function keep_webhook_arrival();
