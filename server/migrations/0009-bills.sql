-- What can be bought, as data: every version is kept, the highest counts, and a bill names the version that priced it.
-- Only an operator adds one. Amounts in kobo.
create table bill_catalogues (
  version integer primary key check (version > 0),
  -- Where the figures come from, and as of when.
  source text not null check (length(source) between 1 and 500),
  source_date date not null,
  -- { networks, dataPlans, electricityProviders, tvProviders, tvPackages, bettingProviders }
  content jsonb not null,
  loaded_at timestamptz not null default clock_timestamp(),
  -- What a provider sells, as its connection listed it. A catalogue without a connection is the operator's: it serves
  -- sandboxes, and gives live ones the names that providers do not tell.
  connection_id uuid
);
create index bill_catalogues_of_connection on bill_catalogues (connection_id, version);
insert into bill_catalogues (version, source, source_date, content) values (
  1, 'Public price lists of the providers; illustrative', '2026-11-01',
  jsonb_build_object(
    'networks', (
      select jsonb_agg(jsonb_build_object('code', n.code, 'name', n.name,
        'prefixes', to_jsonb(string_to_array(n.prefixes, ' ')), 'minAmount', 5000, 'maxAmount', 5000000)
        order by n.place)
      from (values
        (1, 'MTN', 'MTN', '0703 0706 0803 0806 0810 0813 0814 0816 0903 0906 0913 0916'),
        (2, 'AIRTEL', 'Airtel', '0701 0708 0802 0808 0812 0901 0902 0904 0907 0911 0912'),
        (3, 'GLO', 'Glo', '0705 0805 0807 0811 0815 0905 0915'),
        (4, '9MOBILE', '9mobile', '0809 0817 0818 0908 0909')) as n (place, code, name, prefixes)),
    'dataPlans', (
      select jsonb_agg(jsonb_build_object(
        'planCode', lower(p.network || '-' || p.size || '-' || p.days || 'd'), 'network', p.network,
        'name', p.label || ' ' || p.size || case p.days when 1 then ' for 1 day' else ' for ' || p.days || ' days' end,
        'size', p.size, 'validityDays', p.days, 'amount', p.price * 100) order by p.place)
      from (
        select row_number() over () as place, l.network, l.label, split_part(o.offer, '/', 1) as size,
          split_part(o.offer, '/', 2)::integer as days, split_part(o.offer, '/', 3)::integer as price
        from (values
          ('MTN', 'MTN', '110MB/1/100 230MB/1/200 500MB/1/350 1GB/1/500 1GB/7/800 1.5GB/7/1000 3.5GB/7/1500 '
            '2GB/30/1500 2.7GB/30/2000 3.5GB/30/2500 7GB/30/3500 10GB/30/4500 12.5GB/30/5500 20GB/30/7500 '
            '36GB/30/11000 75GB/30/18000'),
          ('AIRTEL', 'Airtel', '110MB/1/100 300MB/1/300 500MB/7/500 1GB/7/800 1.5GB/7/1000 2GB/30/1500 3GB/30/2000 '
            '4GB/30/2500 8GB/30/3000 10GB/30/4000 13GB/30/5000 25GB/30/8000 60GB/30/15000'),
          ('GLO', 'Glo', '1.35GB/14/500 3.9GB/30/1500 7.5GB/30/2500 13.25GB/30/4000'),
          ('9MOBILE', '9mobile', '500MB/30/500 1.5GB/30/1000 4.5GB/30/2000 11GB/30/4000 15GB/30/5000')
        ) as l (network, label, offers), unnest(string_to_array(l.offers, ' ')) as o (offer)) p),
    'electricityProviders', (
      select jsonb_agg(jsonb_build_object('code', e.town || '-electric', 'name', e.name || ' Electric',
        'shortName', e.short, 'meterTypes', '["prepaid", "postpaid"]'::jsonb,
        'minAmount', 100000, 'maxAmount', 50000000) order by e.place)
      from (values
        (1, 'ikeja', 'Ikeja', 'IKEDC'), (2, 'eko', 'Eko', 'EKEDC'), (3, 'abuja', 'Abuja', 'AEDC'),
        (4, 'ibadan', 'Ibadan', 'IBEDC'), (5, 'enugu', 'Enugu', 'EEDC'), (6, 'benin', 'Benin', 'BEDC'),
        (7, 'portharcourt', 'Port Harcourt', 'PHED'), (8, 'kano', 'Kano', 'KEDCO'), (9, 'kaduna', 'Kaduna', 'KAEDCO'),
        (10, 'jos', 'Jos', 'JED'), (11, 'yola', 'Yola', 'YEDC'), (12, 'aba', 'Aba', 'ABA')
      ) as e (place, town, name, short)),
    'tvProviders', '[{"code": "dstv", "name": "DStv", "smartCardDigits": 10},
      {"code": "gotv", "name": "GOtv", "smartCardDigits": 10},
      {"code": "startimes", "name": "StarTimes", "smartCardDigits": 11}]'::jsonb,
    'tvPackages', (
      select jsonb_agg(jsonb_build_object('provider', t.provider,
        'packageCode', t.provider || '-' || lower(replace(t.name, ' ', '-')), 'name', t.label || ' ' || t.name,
        'amount', t.price * 100, 'months', 1) order by t.place)
      from (values
        (1, 'dstv', 'DStv', 'Padi', 4400), (2, 'dstv', 'DStv', 'Yanga', 6000), (3, 'dstv', 'DStv', 'Confam', 11000),
        (4, 'dstv', 'DStv', 'Compact', 19000), (5, 'dstv', 'DStv', 'Compact Plus', 30000),
        (6, 'dstv', 'DStv', 'Premium', 44500),
        (7, 'gotv', 'GOtv', 'Smallie', 1900), (8, 'gotv', 'GOtv', 'Jinja', 3900), (9, 'gotv', 'GOtv', 'Jolli', 5800),
        (10, 'gotv', 'GOtv', 'Max', 8500), (11, 'gotv', 'GOtv', 'Supa', 11400),
        (12, 'gotv', 'GOtv', 'Supa Plus', 16800),
        (13, 'startimes', 'StarTimes', 'Nova', 2100), (14, 'startimes', 'StarTimes', 'Basic', 4000),
        (15, 'startimes', 'StarTimes', 'Classic', 6000), (16, 'startimes', 'StarTimes', 'Super', 9800)
      ) as t (place, provider, label, name, price)),
    'bettingProviders', (
      select jsonb_agg(jsonb_build_object('code', lower(b.name), 'name', b.name, 'minAmount', 10000,
        'maxAmount', b.most * 100) order by b.place)
      from (values
        (1, 'Bet9ja', 100000), (2, 'BangBet', 100000), (3, 'NairaBet', 250000), (4, 'SupaBet', 100000),
        (5, 'CloudBet', 100000), (6, 'BetLion', 100000), (7, '1xBet', 500000), (8, 'MerryBet', 100000),
        (9, 'BetWay', 1000000), (10, 'BetLand', 100000), (11, 'BetKing', 100000), (12, 'LiveScoreBet', 100000),
        (13, 'NaijaBet', 100000), (14, 'SportyBet', 100000)) as b (place, name, most))));
alter table bill_catalogues enable row level security;
alter table bill_catalogues force row level security;
create policy everybody_reads on bill_catalogues for select to jara_app using (true);
create policy operator_adds on bill_catalogues for insert to jara_app with check (in_operator_scope());
grant select, insert on bill_catalogues to jara_app;

-- What a bill costs and earns the merchant, by category and the day it takes effect: the newest row of the category
-- that is not in the future counts.
create table bill_rates (
  category text not null check (category in ('airtime', 'data', 'electricity', 'tv', 'betting')),
  effective_from timestamptz not null,
  -- Hundredths of a percent of the amount.
  commission_basis_points integer not null check (commission_basis_points between 0 and 10000),
  -- On top of the amount, in kobo.
  fee bigint not null default 0 check (fee >= 0),
  source text not null,
  -- Rates of bills and tariffs of payouts are published by operators. They get numbers, so that a later word for the
  -- same date can replace an earlier one, and the time at which they were written: none counts before it was there.
  version integer not null check (version > 0),
  created_at timestamptz not null default clock_timestamp(),
  primary key (category, version)
);
insert into bill_rates (category, version, effective_from, commission_basis_points, source)
select r.category, 1, '2020-01-01T00:00:00Z', r.points, 'Usual commissions of November 2026; illustrative'
from (values ('airtime', 250), ('data', 250), ('electricity', 100), ('tv', 150), ('betting', 0))
  as r (category, points);
-- What an operator writes later counts from then on; the rows above are older than the rule.
alter table bill_rates add constraint bill_rates_not_for_the_past check (effective_from >= created_at) not valid;
alter table bill_rates enable row level security;
alter table bill_rates force row level security;
create policy everybody_reads on bill_rates for select to jara_app using (true);
create policy operator_adds on bill_rates for insert to jara_app with check (in_operator_scope());
grant select, insert on bill_rates to jara_app;

-- Customers that a merchant had confirmed by their provider. Only what has not run out is of use; each new row takes
-- some of the old ones away.
create table bill_validations (
  environment_id uuid not null references environments (id),
  id uuid not null,
  category text not null check (category in ('airtime', 'data', 'electricity', 'tv', 'betting')),
  provider text not null,
  customer text not null,
  customer_name text,
  -- What was on offer when the customer was shown the price.
  catalogue_version integer not null references bill_catalogues (version),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A renewal prolongs the package that the customer has, so a validation keeps which one that was. Null where the
  -- provider named none, and for validations from before this column, which run out within half an hour.
  package_code text,
  primary key (environment_id, id)
);
create index bill_validations_by_customer
  on bill_validations (environment_id, category, provider, customer, expires_at);
create index bill_validations_by_expiry on bill_validations (environment_id, expires_at);
call protect_tenant_table('bill_validations');
grant select, insert, delete on bill_validations to jara_app;

-- A bill. The row is also the queue of the worker: claim_at says from when (in real time) a worker may take it up;
-- null means that nobody needs to, because it is final or waits for an entry of the agenda. The biller knows a bill by
-- its id, which is committed before anybody calls.
create table bills (
  environment_id uuid not null,
  id uuid not null,
  reference text not null,
  category text not null check (category in ('airtime', 'data', 'electricity', 'tv', 'betting')),
  provider text not null,
  product_code text not null,
  product_name text not null,
  customer text not null,
  customer_name text,
  -- Whom to tell, where the customer is not a phone number.
  phone_number text,
  meter_type text check (meter_type in ('prepaid', 'postpaid')),
  subscription_type text check (subscription_type in ('change', 'renew')),
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  commission bigint not null check (commission >= 0),
  catalogue_version integer not null,
  status text not null check (status in ('pending', 'processing', 'successful', 'failed', 'reversed')),
  version integer not null default 1,
  token text check (token ~ '^[0-9]{20}$'),
  units numeric(12,2),
  receipt_number text,
  failure_code text,
  failure_message text,
  list_position bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  claim_at timestamptz,
  -- Since when (environment time) the biller owes an answer; how often it was asked.
  sent_at timestamptz,
  queries integer not null default 0,
  -- The wallet that pays a bill. Null for bills from before another than the main wallet could be named.
  source_account_id uuid,
  connection_id uuid,
  -- By which the biller knows the bill. Its rail says how it wants ids, so they are made when an order goes out.
  request_id text,
  primary key (environment_id, id),
  constraint bills_request_id check (status in ('pending', 'failed') or request_id is not null)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, fillfactor = 55);
-- None of the indexes below holds a bill at the moment of its acceptance: they cost the worker, not the caller.
-- Lists filtered by a final state. Ids rise with time, so the key itself serves lists filtered by time.
create index bills_by_final_status on bills (environment_id, status, id) where completed_at is not null;
create index bills_by_lane on bills (environment_id, provider, claim_at) where claim_at is not null;
create unique index bills_by_position on bills (environment_id, list_position);
-- Open and in nobody's hands: the agenda brings them back, or nothing does and the sweeper must.
create index bills_handed_over on bills (environment_id, id) where completed_at is null and claim_at is null;
create index bills_of_connection on bills (connection_id, request_id) where connection_id is not null;
create index bills_sent_to_connection on bills (connection_id, sent_at) where connection_id is not null;
create index bills_unsettled on bills (environment_id, sent_at) where status = 'processing';
call protect_tenant_table('bills');
grant select, insert, update on bills to jara_app;
grant update on bills to jara_lookup;
