-- What operators did: who, what, when, from where. Never changed, never deleted.
create table audit_entries (
  id uuid primary key,
  list_position bigint not null unique,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  about_environment uuid,
  detail jsonb not null,
  address text not null,
  request_id text not null
);
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();

alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy operator on audit_entries to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert on audit_entries to jara_app;
