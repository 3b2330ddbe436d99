-- Balances change through ledger_post and fold_account_deltas, and in no other way: the application may open accounts,
-- which begin at zero, and read. Until now it could write each of these tables, so that one forged statement sent under
-- its name could have made money. ledger_post works for its owner from here on; the environment that it posts to is
-- still the one that the caller's transaction has entered, and it names that environment in every statement.
grant insert on account_deltas, ledger_transactions, entries to jara_lookup;

alter function ledger_post(
  timestamptz, uuid[], text[], text[], uuid[], text[], text[], integer[], uuid[], bigint[])
  security definer set search_path = public, pg_temp;
alter function ledger_post(
  timestamptz, uuid[], text[], text[], uuid[], text[], text[], integer[], uuid[], bigint[]) owner to jara_lookup;
revoke execute on function ledger_post(
  timestamptz, uuid[], text[], text[], uuid[], text[], text[], integer[], uuid[], bigint[]) from public;

revoke execute on function ledger_refused(integer[], uuid[], bigint[]) from public, jara_app;
grant execute on function ledger_refused(integer[], uuid[], bigint[]) to jara_lookup;

revoke insert, update on accounts from jara_app;
grant insert (environment_id, id, purpose, has_floor, created_at) on accounts to jara_app;
revoke insert on account_deltas, ledger_transactions, entries from jara_app;
