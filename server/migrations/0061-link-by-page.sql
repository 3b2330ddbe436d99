-- Where the holder types the card in on the processor's own page, a try has no token of a vault. It has the address of
-- that page, which anybody who has it could use: it is sealed, and gone as soon as the try has ended.
alter table card_links drop constraint card_links_check2;
alter table card_links add constraint card_links_card_token
  check (sealed_card_token is null or status = 'processing');
alter table card_links add column sealed_redirect_url bytea;
alter table card_links add constraint card_links_redirect_url
  check (sealed_redirect_url is null or (status = 'processing' and sealed_card_token is null));

-- The simulated network has such a page too: a link waits there until a card is typed in, or is left behind.
alter table simulated_card.links drop constraint links_status_check;
alter table simulated_card.links add constraint links_status_check
  check (status in ('open', 'left', 'declined', 'linked', 'unlinked'));
alter table simulated_card.links drop constraint links_check1;
alter table simulated_card.links add constraint links_check1 check (
  (status in ('open', 'left', 'declined'))
  = (num_nulls(token, brand, last4, exp_month, exp_year, bank, behaviour) > 0));
alter table simulated_card.links add column return_url text;
-- In the sandbox's time.
alter table simulated_card.links add column opened_at timestamptz;
