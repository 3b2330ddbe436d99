-- The outbox: what happened, written in the transaction in which it happened. The list position is given after
-- commit by one sequencer, so that a reader who has seen position n can never miss an earlier one.
create table events (
  environment_id uuid not null references environments (id),
  id uuid not null,
  -- The order of writing, which the sequencer follows within one environment.
  sequence bigint generated always as identity,
  event text not null,
  resource_type text not null,
  resource_id uuid not null,
  resource_version integer not null,
  data json not null,
  created_at timestamptz not null,
  list_position bigint,
  primary key (environment_id, id)
);
create unique index events_by_position on events (environment_id, list_position) where list_position is not null;
create index events_by_resource on events (environment_id, resource_id, resource_version);
create index events_unsequenced on events (sequence) where list_position is null;
call protect_tenant_table('events');
grant select, insert on events to jara_app;
grant select, update on events to jara_lookup;

-- Gives committed events their positions. The lock elects one sequencer at a time; who comes second returns at once.
create function sequence_events(at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  sequenced integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('jara.sequence_events')) then
    return 0;
  end if;
  with fresh as materialized (
    select e.environment_id, e.id, e.sequence from events e
    where e.list_position is null
    order by e.sequence limit at_most
  ), counted as (
    select f.environment_id, count(*) as added from fresh f group by f.environment_id
  ), counters as (
    insert into list_counters as c (environment_id, resource, total)
    select k.environment_id, 'events', k.added from counted k
    order by k.environment_id
    on conflict (environment_id, resource) do update set total = c.total + excluded.total
    returning c.environment_id, c.total
  ), numbered as (
    select f.environment_id, f.id,
      c.total - k.added + row_number() over (partition by f.environment_id order by f.sequence) as list_position
    from fresh f
    join counters c on c.environment_id = f.environment_id
    join counted k on k.environment_id = f.environment_id
  )
  update events e set list_position = n.list_position
  from numbered n where e.environment_id = n.environment_id and e.id = n.id;
  get diagnostics sequenced = row_count;
  return sequenced;
end
$$;
alter function sequence_events(integer) owner to jara_lookup;
revoke execute on function sequence_events(integer) from public;
grant execute on function sequence_events(integer) to jara_app;
