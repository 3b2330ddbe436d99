-- A card is with one account of ours at a processor, and so is everything that is done with it: a link goes to the
-- connection that is open when it is made, its card stays there, and a charge goes to the connection of its card. A
-- refund goes where its charge is. What the simulated network has is bound to none.
alter table card_links add column connection_id uuid;
alter table customer_cards add column connection_id uuid;
alter table card_charges add column connection_id uuid;

-- A processor names a charge or a try to link by our id only.
create index card_links_of_connection on card_links (connection_id, attempt_id) where connection_id is not null;
create index card_charges_of_connection on card_charges (connection_id, id) where connection_id is not null;
