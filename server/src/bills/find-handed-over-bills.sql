-- Open bills of all environments that no worker holds, in the order of their keys. The sweeper finds out which of them
-- nothing will ever move.
create or replace function find_handed_over_bills(
  wanted_status text, after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select b.environment_id, b.id from bills b
    where b.completed_at is null and b.claim_at is null and b.status = wanted_status
      and (b.environment_id, b.id) > (after_environment, after_id)
    order by b.environment_id, b.id
    limit at_most;
  end;
alter function find_handed_over_bills owner to jara_lookup;
revoke execute on function find_handed_over_bills from public;
grant execute on function find_handed_over_bills to jara_app;
