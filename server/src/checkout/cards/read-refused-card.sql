-- How often a card was refused since a moment at all merchants of the lender, and when the last time was.
create or replace function read_refused_card(cards bytea[], since timestamptz)
  returns table (declines integer, last_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select count(*)::integer, max(r.refused_at) from refused_cards r
    where r.fingerprint_index = any (cards) and r.refused_at > since
      and r.environment_id in (select lender_environments());
  end;
alter function read_refused_card owner to jara_lookup;
revoke execute on function read_refused_card from public;
grant execute on function read_refused_card to jara_app;
