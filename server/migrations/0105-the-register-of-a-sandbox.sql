-- The identity register of a sandbox has books of its own: it remembers as whom a BVN was first asked about.
create schema simulated_identity;
grant usage on schema simulated_identity to jara_app, jara_lookup;

create table simulated_identity.people (
  sandbox uuid not null,
  id uuid not null,
  -- A keyed hash, so that the number stands nowhere in full; it follows the master key with the sealed number.
  bvn_index bytea not null,
  sealed_bvn bytea not null,
  first_name text not null,
  last_name text not null,
  phone text not null,
  -- Null until somebody has said one.
  born date,
  primary key (sandbox, id),
  unique (sandbox, bvn_index)
);
grant select, insert, update, delete on simulated_identity.people to jara_app;
grant select, delete on simulated_identity.people to jara_lookup;
call protect_simulated_table('simulated_identity.people');

-- What shows that a customer owns the BVN: the phone on record is the register's, or a linked card is in the customer's
-- name. Null in rows of servers that did not ask: in a sandbox that counts as shown.
alter table customers add column identity_proof text;
alter table customers add constraint customers_identity_proof_check
  check (identity_proof in ('none', 'phone', 'card')) not valid;
