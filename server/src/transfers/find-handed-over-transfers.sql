-- Open transfers of all environments that no worker holds, in the order of their keys. The sweeper finds out which of
-- them nothing will ever move.
create or replace function find_handed_over_transfers(
  wanted_status text, after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select t.environment_id, t.id from transfers t
    where t.completed_at is null and t.claim_at is null and t.status = wanted_status
      and (t.environment_id, t.id) > (after_environment, after_id)
    order by t.environment_id, t.id
    limit at_most;
  end;
alter function find_handed_over_transfers owner to jara_lookup;
revoke execute on function find_handed_over_transfers from public;
grant execute on function find_handed_over_transfers to jara_app;
