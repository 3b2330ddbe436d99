-- Charges, refunds and tries to link a card as orders to the card network. The first charge of a card that is linked on
-- the processor's page is a trial: it is nobody's repayment, and goes back at once. A provider's list is held against
-- our charges and refunds alone, so a trial is found by its id and never by its time.
create or replace view orders_of_card_charge with (security_invoker = true) as
  select c.environment_id, c.id, 'card' as port, c.connection_id, c.id::text as order_id,
    coalesce(c.reference, c.id::text) as reference, c.amount,
    case c.status when 'processing' then 'sent' else 'ended' end as step, c.status = 'processing' as is_owed,
    c.status = 'processing' as is_idle, c.queries, c.created_at as sent_at, c.created_at as since,
    case when r.reversed_at is not null then 'taken_back' when c.status = 'successful' then 'success'
      when c.status = 'failed' then 'failure' else 'open' end as state,
    c.repayment_id as booked_as, jsonb_build_object('loan_id', c.loan_id) as detail
  from card_charges c
  left join loan_repayments r on r.environment_id = c.environment_id and r.id = c.repayment_id
  union all
  select l.environment_id, l.id, 'card', l.connection_id, l.attempt_id::text, l.id::text, null, 'ended', false, false,
    l.queries, l.updated_at, null, 'trial', null, null
  from card_links l;
grant select on orders_of_card_charge to jara_lookup;

create or replace view orders_of_card_refund with (security_invoker = true) as
  select f.environment_id, f.id, 'card' as port, c.connection_id, f.id::text as order_id, f.reference, f.amount,
    case f.status when 'processing' then 'sent' else 'ended' end as step, f.status = 'processing' as is_owed,
    f.status = 'processing' as is_idle, f.queries, coalesce(f.sent_at, f.created_at) as sent_at,
    f.created_at as since,
    case f.status when 'successful' then 'success' when 'failed' then 'failure' else 'open' end as state,
    f.id as booked_as, jsonb_build_object('loan_id', f.loan_id) as detail
  from card_refunds f
  join card_charges c on c.environment_id = f.environment_id and c.id = f.charge_id
  union all
  select l.environment_id, l.id, 'card', l.connection_id, 'link-' || l.attempt_id::text, l.id::text, null, 'ended',
    false, false, l.queries, l.updated_at, null, 'trial', null, null
  from card_links l;
grant select on orders_of_card_refund to jara_lookup;

create or replace view orders_of_card_link with (security_invoker = true) as
  select l.environment_id, l.id, 'card' as port, l.connection_id, l.attempt_id::text as order_id,
    l.id::text as reference, null::bigint as amount,
    case l.status when 'pending' then 'waiting' when 'processing' then 'sent' else 'ended' end as step,
    l.status = 'processing' as is_owed, l.status = 'processing' as is_idle, l.queries, l.updated_at as sent_at,
    null::timestamptz as since, 'open' as state, null::uuid as booked_as, null::jsonb as detail
  from card_links l;
grant select on orders_of_card_link to jara_lookup;
