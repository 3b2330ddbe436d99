-- A browser carries a page's token; the token tells which record of which environment it may act on.
create or replace function find_page(wanted_kind text, wanted_hash bytea)
  returns table (environment_id uuid, environment_kind text, page_id uuid, closes_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id, e.kind, p.id, p.closes_at from (
      -- For a day the page shows how it went. An ended session never changes again.
      select s.environment_id, s.id,
        case when s.status <> 'open' then s.updated_at + interval '1 day' end as closes_at
      from checkout_sessions s
      where s.token_hash = wanted_hash and wanted_kind = 'checkout'
      union all
      select l.environment_id, l.id,
        case when l.status in ('linked', 'stale') then l.updated_at
          when l.status in ('pending', 'declined') then l.expires_at end + interval '1 day'
      from card_links l
      where l.token_hash = wanted_hash and wanted_kind = 'card-link'
      union all
      select g.environment_id, g.id, least(g.expires_at, g.replaced_at)
      from plan_pages g
      where g.token_hash = wanted_hash and wanted_kind = 'plan'
      union all
      -- A visit ends with its page, so that whoever has the address replaced has everybody sent out.
      select v.environment_id, v.id, least(v.expires_at, v.left_at, g.expires_at, g.replaced_at)
      from plan_visits v
      join plan_pages g on g.environment_id = v.environment_id and g.id = v.page_id
      where v.token_hash = wanted_hash and wanted_kind = 'plan-visit'
    ) p join environments e on e.id = p.environment_id;
  end;
alter function find_page owner to jara_lookup;
revoke execute on function find_page from public;
grant execute on function find_page to jara_app;
