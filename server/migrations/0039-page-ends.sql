-- A page's token ends with what it opens: the look-up also says when that was, and the server refuses the token a day
-- of the environment's time later. Null while there is something to do, or money is on its way.
drop function find_page(text, bytea);
create function find_page(wanted_kind text, wanted_hash bytea)
  returns table (environment_id uuid, environment_kind text, page_id uuid, ended_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id, e.kind, p.id, p.ended_at from (
      -- An ended session never changes again.
      select s.environment_id, s.id, case when s.status <> 'open' then s.updated_at end as ended_at
      from checkout_sessions s
      where s.token_hash = wanted_hash and wanted_kind = 'checkout'
      union all
      select l.environment_id, l.id, case when l.status in ('linked', 'stale') then l.updated_at
        when l.status in ('pending', 'declined') then l.expires_at end
      from card_links l
      where l.token_hash = wanted_hash and wanted_kind = 'card-link'
    ) p join environments e on e.id = p.environment_id;
  end;
alter function find_page(text, bytea) owner to jara_lookup;
revoke execute on function find_page(text, bytea) from public;
grant execute on function find_page(text, bytea) to jara_app;
