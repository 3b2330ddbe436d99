-- What the ledger has on one system account for each of some records. Ids rise with time and entries lie in the order
-- of theirs: the bounds let the block range index pass over all other days.
create or replace function sum_booked_records(account_purpose text, environments uuid[], records uuid[])
  returns table (environment_id uuid, record_id uuid, amount bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with wanted as (
      select distinct w.environment_id, w.record_id from unnest(environments, records) as w (environment_id, record_id)
    ), posted as materialized (
      select w.environment_id, w.record_id, t.id from wanted w
      join ledger_transactions t on t.environment_id = w.environment_id and t.resource_id = w.record_id
      union all
      select w.environment_id, w.record_id, t.id from wanted w
      join ledger_transactions t on t.environment_id = w.environment_id and t.id = w.record_id
    )
    select p.environment_id, p.record_id, sum(e.amount)::bigint from posted p
    join accounts a on a.environment_id = p.environment_id and a.purpose = account_purpose and not a.has_floor
    join entries e on e.environment_id = p.environment_id and e.transaction_id = p.id and e.account_id = a.id
    where e.transaction_id >= (select f.id from posted f order by f.id limit 1)
      and e.transaction_id <= (select l.id from posted l order by l.id desc limit 1)
    group by p.environment_id, p.record_id;
  end;
alter function sum_booked_records owner to jara_lookup;
revoke execute on function sum_booked_records from public;
grant execute on function sum_booked_records to jara_app;
