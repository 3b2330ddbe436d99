-- A provider names an order by our id as text, whatever type the id has in its own table.
drop index concurrently if exists card_charges_by_order;
create index concurrently card_charges_by_order on card_charges (connection_id, (id::text))
  where connection_id is not null;
drop index concurrently if exists card_links_by_order;
create index concurrently card_links_by_order on card_links (connection_id, (attempt_id::text))
  where connection_id is not null;
drop index concurrently if exists card_links_by_trial;
create index concurrently card_links_by_trial on card_links (connection_id, ('link-' || attempt_id::text))
  where connection_id is not null;
drop index concurrently if exists virtual_accounts_by_order;
create index concurrently virtual_accounts_by_order on virtual_accounts (connection_id, (id::text))
  where connection_id is not null;
