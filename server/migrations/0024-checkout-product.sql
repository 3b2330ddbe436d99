-- The product of loans at the checkout, for environments that were opened before it existed; later ones are given it
-- when they are opened (lending/products.ts says the same, and a test compares). Its id follows from the environment as
-- derivedAccountId makes it: the environment's time stamp, then bits of a hash laid out as version 7.
-- Row level security binds the owner too, who here works for all environments at once.
alter table environments no force row level security;
alter table loan_products no force row level security;

insert into loan_products (environment_id, id, version, code, name, description, effective_from, interest_method,
  minimum_amount, maximum_amount, tenures, fee_rate, fee_fixed, late_fee_rate, late_fee_minimum, grace_days, created_at)
select d.environment_id,
  (left(d.environment_id::text, 13) || '-' || substr(d.digits, 1, 4) || '-' || substr(d.digits, 5, 4) || '-' ||
    substr(d.digits, 9, 12))::uuid,
  1, 'checkout', 'Checkout', 'Flat interest per month, no fee up front, one day of grace.',
  '2000-01-01T00:00:00Z', 'flat', 500000, 100000000,
  '{"monthly": {"shortest": 1, "longest": 12, "rate": 25000}}', 0, 0, 10000, 10000, 1, now()
from (
  select e.id as environment_id,
    encode(set_byte(set_byte(h.hash, 0, (get_byte(h.hash, 0) & 15) | 112), 2, (get_byte(h.hash, 2) & 63) | 128), 'hex')
      as digits
  from environments e
  cross join lateral (select sha256(convert_to(e.id::text || '/loan product checkout', 'UTF8'))) as h (hash)
) d
on conflict do nothing;

alter table loan_products force row level security;
alter table environments force row level security;
