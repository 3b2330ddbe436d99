-- A renewal prolongs the package that the customer has, so a validation keeps which one that was. Null where the
-- provider named none, and for validations from before this column, which run out within half an hour.
alter table bill_validations add column package_code text;

-- The simulated billers know what runs on a smart card by what they delivered to it. delivers_at is from now on also
-- the moment of a TV delivery, in the sandbox's time; for deliveries from before it is when the order was received.
alter table simulated_biller.vends
  add column subscription_type text check (subscription_type in ('change', 'renew'));
update simulated_biller.vends set delivers_at = received_at
where category = 'tv' and status in ('delivered', 'reversed') and delivers_at is null;
create index vends_by_smart_card on simulated_biller.vends (sandbox, provider, customer, delivers_at)
  where category = 'tv' and status = 'delivered';
