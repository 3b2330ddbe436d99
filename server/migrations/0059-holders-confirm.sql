-- The address where a holder confirms a charge at the bank. Anybody who has it could, so it is sealed, and gone as soon
-- as the charge has ended.
alter table card_charges add column sealed_confirm_url bytea;
alter table card_charges add constraint card_charges_confirm_url
  check (sealed_confirm_url is null or status = 'processing');

-- The simulated network: charges that wait for the holder, charges that are taken back later, refunds that take days.
alter table simulated_card.tokens drop constraint tokens_behaviour_check;
alter table simulated_card.tokens add constraint tokens_behaviour_check
  check (behaviour in ('links', 'declines_link', 'declines_charges', 'asks_holder', 'refunds_slowly'));
alter table simulated_card.charges drop constraint charges_status_check;
alter table simulated_card.charges add constraint charges_status_check
  check (status in ('paid', 'declined', 'asked', 'reversed'));
-- When the holder was asked, in the sandbox's time.
alter table simulated_card.charges add column asked_at timestamptz;
alter table simulated_card.refunds drop constraint refunds_status_check;
alter table simulated_card.refunds add constraint refunds_status_check
  check (status in ('paid', 'declined', 'pending'));
