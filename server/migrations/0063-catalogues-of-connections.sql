-- What a provider sells, as its connection listed it. A catalogue without a connection is the operator's: it serves
-- sandboxes, and gives live ones the names that providers do not tell.
alter table bill_catalogues add column connection_id uuid;
create index bill_catalogues_of_connection on bill_catalogues (connection_id, version);
