-- Whether anything waits behind a delivery that arrived is seen in an index of what waits, which is nearly always
-- empty. Before, each arrival went to the rows of its line, of which the newest was the one that it had just written.
drop index concurrently if exists webhook_deliveries_waiting;
create index concurrently webhook_deliveries_waiting
  on webhook_deliveries (environment_id, endpoint_id, resource_id) where waits;
