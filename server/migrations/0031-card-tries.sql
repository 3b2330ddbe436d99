-- How many cards were refused on a link's page: after a few it takes no more, so that nobody finds out with it which
-- stolen cards still work.
alter table card_links add column declines integer not null default 0 check (declines >= 0);
create index card_links_by_customer on card_links (environment_id, customer_id, created_at);
create index card_charges_by_customer on card_charges (environment_id, customer_id, id);
