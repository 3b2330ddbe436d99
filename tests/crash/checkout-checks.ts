/**
 * What must hold of every checkout loan when nothing moves any more, held against the books of the simulated bank, card
 * network and message gateway. Each query names what contradicts it; $1 is the environment.
 */
const now = "(select time_on(c, clock_timestamp()) from environment_clocks c where c.environment_id = $1)";

const moneyIsOut = "('disbursed', 'active', 'overdue', 'completed', 'written_off')";

/** What the agenda, a worker or the sweeper still has to finish. */
export const unfinishedCheckout = `
  select 'loan ' || id || ' is ' || status as what from checkout_loans
  where environment_id = $1 and (status in ('approved', 'disbursed')
    or (status in ('pending_consent', 'pending_card') and expires_at < ${now}))
  union all
  select 'card link ' || id || ' is processing' from card_links where environment_id = $1 and status = 'processing'
  union all
  select 'charge ' || id || ' is processing' from card_charges where environment_id = $1 and status = 'processing'
  union all
  select 'code ' || id || ' waits to be sent' from consent_codes
  where environment_id = $1 and message_status = 'waiting'
  union all
  select 'the address of the plan of ' || loan_id || ' waits to be sent' from plan_link_messages
  where environment_id = $1 and status = 'waiting'
  union all
  select 'customer ' || id || ' has no verdict' from customers where environment_id = $1 and kyc_status = 'pending'
  union all
  select 'collection of ' || loan_id || ' should have happened' from card_collections
  where environment_id = $1 and next_at < ${now}`;

const payouts = `
  select format('loan %s is %s and was paid %s times by the bank', l.id, l.status, count(b.session_id)) as what
  from checkout_loans l
  left join simulated_bank.payments b on b.sandbox = l.environment_id and b.status = 'paid'
    and b.reference like l.reference || '-%' and b.amount = l.amount and b.account_number = l.bank_account_no
  where l.environment_id = $1
  group by l.environment_id, l.id
  having count(b.session_id) <> (l.status in ${moneyIsOut})::integer`;

const charges = `
  select format('charge %s is %s here and %s at the card network', coalesce(c.id, n.charge_id), c.status, n.status)
    as what
  from (select * from card_charges where environment_id = $1) c
  full join (select * from simulated_card.charges where sandbox = $1) n on n.charge_id = c.id
  where (case c.status
    when 'successful' then n.status = 'paid' and n.amount = c.amount
    when 'failed' then n.status = 'declined' or (n.status is null and c.failure_code = 'card_not_linked')
    end) is not true`;

const cardRepayments = `
  select format('charge %s of %s stands for repayment %s of %s', c.id, c.amount, r.id, r.amount) as what
  from (select h.id, h.repayment_id, h.amount, l.reference as account_id from card_charges h
    join checkout_loans l on l.environment_id = h.environment_id and l.id = h.loan_id
    where h.environment_id = $1 and h.status = 'successful') c
  full join (select * from loan_repayments where environment_id = $1 and channel = 'card') r on r.id = c.repayment_id
  where (c.amount = r.amount and c.account_id = r.account_id and r.reversed_at is null) is not true
  union all
  select format('repayment %s stands for %s charges', repayment_id, count(*)) from card_charges
  where environment_id = $1 and repayment_id is not null group by repayment_id having count(*) > 1`;

/** A settlement account mirrors what its rail has in its own books. */
const settlement = `
  select format('%s holds %s, by the rail''s books it is %s', s.purpose, b.balance, s.expected) as what
  from (
    select 'bank_settlement' as purpose, coalesce(sum(amount), 0) as expected
    from simulated_bank.payments where sandbox = $1 and status = 'paid'
    union all
    select 'card_settlement', -coalesce(sum(amount), 0)
    from simulated_card.charges where sandbox = $1 and status = 'paid'
  ) s
  cross join lateral (
    select coalesce(sum(e.amount), 0) as balance from entries e
    join accounts a on a.environment_id = e.environment_id and a.id = e.account_id
    where a.environment_id = $1 and a.purpose = s.purpose
  ) b
  where b.balance <> s.expected`;

const consents = `
  select format('loan %s is %s, with %s consent records, %s used and %s live codes', l.id, l.consent_status, r.records,
    c.used, c.live) as what
  from checkout_loans l
  cross join lateral (select count(*) as records from consent_records where environment_id = $1 and loan_id = l.id) r
  cross join lateral (
    select count(*) filter (where status = 'used') as used, count(*) filter (where status = 'live') as live
    from consent_codes where environment_id = $1 and loan_id = l.id) c
  where l.environment_id = $1 and (r.records <> (l.consent_status = 'consented')::integer or c.used <> r.records
    or c.live > 1 or c.live + c.used > 1 or (l.status in ${moneyIsOut} and r.records = 0))`;

/** A message that was carried for a code that was used before is no contradiction: the gateway's answer came late. */
const messages = `
  select format('%s %s is %s, message %s', o.what, o.id, o.status, m.message_id) as what
  from (
    select 'code' as what, id, message_status as status, message_id from consent_codes where environment_id = $1
    union all
    select 'address of the plan of', loan_id, status, message_id from plan_link_messages where environment_id = $1
  ) o
  full join (select * from simulated_message.messages where sandbox = $1) m on m.message_id = o.message_id
  where o.id is null or (o.status = 'sent' and m.message_id is null)`;

const links = `
  select format('card link %s is %s here and %s at the network, with %s cards', l.id, l.status, n.status, k.cards)
    as what
  from (select * from card_links where environment_id = $1 and status = 'linked') l
  full join (select * from simulated_card.links where sandbox = $1 and status <> 'declined') n
    on n.link_id = l.attempt_id
  cross join lateral (
    select count(*) as cards from customer_cards where environment_id = $1 and link_id = l.id) k
  where (l.customer_id = n.customer_id and k.cards = 1) is not true`;

const states = `
  select format('loan %s is %s, its account %s', l.id, l.status, a.status) as what
  from checkout_loans l
  left join loan_accounts a on a.environment_id = l.environment_id and a.id = l.reference
  where l.environment_id = $1 and a.status is distinct from case
    when l.status in ('pending_consent', 'pending_card') then 'pending'
    when l.status = 'expired' then 'cancelled' else l.status end`;

/** Something is booked as long as something will fall due, and a card that pays leaves nothing overdue and unbooked. */
const collections = `
  select format('loan %s is %s, its collection is at %s', l.id, l.status, c.next_at) as what
  from checkout_loans l
  left join card_collections c on c.environment_id = l.environment_id and c.loan_id = l.id
  where l.environment_id = $1 and case when l.status in ('active', 'overdue')
    then c.next_at is null and exists (
      select from loan_instalments i where i.environment_id = $1 and i.account_id = l.reference
        and i.due_date > (${now} at time zone 'Africa/Lagos')::date)
    else c.next_at is not null end
  union all
  select format('collection of loan %s is not on the agenda', c.loan_id) from card_collections c
  where c.environment_id = $1 and c.next_at is not null and not exists (
    select from agenda a where a.environment_id = $1 and a.kind = 'checkout.collect' and a.subject = c.loan_id::text)
  union all
  select format('loan %s is overdue although its card pays', l.id) from checkout_loans l
  join customers u on u.environment_id = l.environment_id and u.id = l.customer_id
  join card_links k on k.environment_id = l.environment_id and k.card_id = u.default_card_id
  join simulated_card.links n on n.sandbox = l.environment_id and n.link_id = k.attempt_id and n.behaviour = 'links'
  join card_collections c on c.environment_id = l.environment_id and c.loan_id = l.id
  where l.environment_id = $1 and l.status = 'overdue' and c.next_at is null`;

const events = `
  select format('loan %s, %s: %s %s, expected %s', l.id, l.status, f.found, x.event, x.expected) as what
  from checkout_loans l
  join loan_accounts a on a.environment_id = l.environment_id and a.id = l.reference
  cross join lateral (values
    ('bnpl.loan.created', 1),
    ('bnpl.loan.approved', (a.approved_at is not null)::integer),
    ('bnpl.loan.disbursed', (a.disbursed_at is not null)::integer),
    ('bnpl.loan.cancelled', (l.status = 'cancelled')::integer),
    ('bnpl.loan.expired', (l.status = 'expired')::integer),
    ('bnpl.loan.completed', (l.status = 'completed')::integer),
    ('bnpl.loan.repayment.successful',
      (select count(*) from loan_repayments r where r.environment_id = $1 and r.account_id = a.id)),
    ('bnpl.loan.refunded',
      (select count(*) from loan_reductions r where r.environment_id = $1 and r.account_id = a.id)),
    ('bnpl.loan.repayment.failed',
      (select count(*) from card_charges h where h.environment_id = $1 and h.loan_id = l.id and h.status = 'failed'))
  ) as x (event, expected)
  cross join lateral (
    select count(*) as found from events e
    where e.environment_id = $1 and e.resource_id = l.id and e.event = x.event) f
  where l.environment_id = $1 and f.found <> x.expected
  union all
  select format('%s customer.card.link.successful for %s linked cards', e.found, k.linked)
  from (select count(*) as found from events where environment_id = $1 and event = 'customer.card.link.successful') e,
    (select count(*) as linked from card_links where environment_id = $1 and status = 'linked') k
  where e.found <> k.linked`;

export const checkoutChecks: readonly string[] = [
  unfinishedCheckout,
  payouts,
  charges,
  cardRepayments,
  settlement,
  consents,
  messages,
  links,
  states,
  collections,
  events,
];
