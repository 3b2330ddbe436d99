-- How a merchant appears on the pages that its customers see: a name, and a logo that is served from our own address.
-- One row an environment, so that a sandbox's key changes nothing of what live customers see.
create table merchant_profiles (
  environment_id uuid primary key references environments (id),
  display_name text check (length(display_name) between 1 and 60),
  logo bytea check (length(logo) between 1 and 65536),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  updated_at timestamptz not null,
  check ((logo is null) = (logo_type is null))
);
call protect_tenant_table('merchant_profiles');
grant select, insert, update on merchant_profiles to jara_app;
grant select on merchant_profiles to jara_lookup;

create or replace function find_merchant_name() returns text
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select coalesce(p.display_name, m.name)
    from environments e
    join merchants m on m.id = e.merchant_id
    left join merchant_profiles p on p.environment_id = e.id
    where e.id = current_environment();
  end;

-- What an order consists of: [{ name, quantity, amount in kobo }], shown on its page. Empty where nothing was said.
alter table checkout_sessions add column items jsonb not null default '[]';
