-- Refunds whose outcome the card network owes us, over all environments, longest first.
create function list_unknown_card_refunds(older_than_seconds integer, at_most integer)
  returns table (environment_id uuid, environment_kind text, id uuid, reference text, amount bigint, loan_id uuid,
    queries integer, sent_at timestamptz, age_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.environment_id, e.kind, r.id, r.reference, r.amount, r.loan_id, r.queries, r.created_at, n.age
    from card_refunds r
    join environments e on e.id = r.environment_id
    left join environment_clocks c on c.environment_id = r.environment_id
    cross join lateral (
      select extract(epoch from
        case when c.mode = 'frozen' then c.frozen_at
          else clock_timestamp() + make_interval(secs => coalesce(c.offset_ms, 0) / 1000.0) end
        - r.created_at)::float8 as age) n
    where r.status = 'processing' and n.age >= older_than_seconds
    order by n.age desc
    limit at_most;
  end;
alter function list_unknown_card_refunds(integer, integer) owner to jara_lookup;
revoke execute on function list_unknown_card_refunds(integer, integer) from public;
grant execute on function list_unknown_card_refunds(integer, integer) to jara_app;
