-- Cards that a network refused to link, where it told which: a thief who guesses at one card goes from customer to
-- customer and from merchant to merchant. Only the keyed hash of the card's fingerprint is kept. An exchange of the
-- master key starts these counts again, as a day does.
create table refused_cards (
  environment_id uuid not null references environments (id),
  -- The try's own.
  id uuid not null,
  fingerprint_index bytea not null,
  refused_at timestamptz not null,
  primary key (environment_id, id)
);
create index refused_cards_by_any_fingerprint on refused_cards (fingerprint_index, refused_at);
call protect_tenant_table('refused_cards');
grant select, insert on refused_cards to jara_app;

-- How often a card was refused since a moment at all merchants of the lender, and when the last time was.
create function read_refused_card(cards bytea[], since timestamptz)
  returns table (declines integer, last_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select count(*)::integer, max(r.refused_at) from refused_cards r
    where r.fingerprint_index = any (cards) and r.refused_at > since
      and r.environment_id in (select lender_environments());
  end;
alter function read_refused_card(bytea[], timestamptz) owner to jara_lookup;
revoke execute on function read_refused_card(bytea[], timestamptz) from public;
grant execute on function read_refused_card(bytea[], timestamptz) to jara_app;
