-- Which master keys this database was sealed under, so that a server with another key is told at its start and does not
-- write what nobody can read later. check_value is a keyed hash: it tells whether two keys are the same and nothing
-- about the key. Only the owner touches this table, at the start of a server; the application has no rights here.
create table master_keys (
  version integer primary key check (version between 1 and 65535),
  check_value bytea not null check (length(check_value) = 32),
  first_used_at timestamptz not null default now(),
  -- Set when a server started without the key and nothing needed it any more. The row stays: a version names one key
  -- for ever, because backups may hold what it sealed.
  retired_at timestamptz
);
