-- Open deliveries of all environments that no worker holds and none waits for, in the order of their keys: the sweeper
-- finds out which of them nothing will ever move.
create or replace function find_waiting_webhook_deliveries(
  after_environment uuid, after_event uuid, after_endpoint uuid,
  at_most integer)
  returns table (environment_id uuid, event_id uuid, endpoint_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select d.environment_id, d.event_id, d.endpoint_id from webhook_deliveries d
    where d.status = 'pending' and d.claim_at is null
      and (d.environment_id, d.event_id, d.endpoint_id) > (after_environment, after_event, after_endpoint)
      and not (d.waits and exists (select from webhook_deliveries o
        where o.environment_id = d.environment_id and o.endpoint_id = d.endpoint_id
          and o.resource_id = d.resource_id and o.status = 'pending' and o.attempts < 4
          and o.event_position < d.event_position))
    order by d.environment_id, d.event_id, d.endpoint_id
    limit at_most;
  end;
alter function find_waiting_webhook_deliveries owner to jara_lookup;
revoke execute on function find_waiting_webhook_deliveries from public;
grant execute on function find_waiting_webhook_deliveries to jara_app;
