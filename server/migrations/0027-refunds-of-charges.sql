-- Credit that goes back to a card is a part of one charge: the refund names the repayment that the charge made, so that
-- the books alone tell that no charge gave back more than it paid. Every such refund was ordered as a refund of a
-- charge under the same id.
-- Row level security binds the owner too, who here works for all environments at once.
alter table loan_credit_refunds no force row level security;
alter table card_refunds no force row level security;
alter table card_charges no force row level security;

alter table loan_credit_refunds add column repayment_id uuid;
update loan_credit_refunds r set repayment_id = c.repayment_id
from card_refunds f
join card_charges c on c.environment_id = f.environment_id and c.id = f.charge_id
where f.environment_id = r.environment_id and f.id = r.id and r.channel = 'card';
alter table loan_credit_refunds
  add foreign key (environment_id, repayment_id) references loan_repayments (environment_id, id),
  add constraint loan_credit_refunds_of_a_charge check ((channel = 'card') = (repayment_id is not null));

alter table card_charges force row level security;
alter table card_refunds force row level security;
alter table loan_credit_refunds force row level security;
