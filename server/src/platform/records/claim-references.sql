-- Claims references for records and answers with those that were free. Twins are rare, so the first attempt is a plain
-- insert: `on conflict` writes every row twice to the log. Locks: index entries in the order of the references.
create or replace function claim_references(claim_kind text, wanted text[], records uuid[])
  returns table (reference text, record_id uuid)
  language plpgsql as $$
begin
  begin
    insert into reference_claims (environment_id, kind, reference, record_id)
    select current_environment(), claim_kind, w.reference, w.record_id
    from unnest(wanted, records) as w (reference, record_id)
    order by w.reference;
    return query select * from unnest(wanted, records);
    return;
  exception when unique_violation then
    -- Some are taken, in this batch or before: find out which.
    null;
  end;
  return query
    insert into reference_claims (environment_id, kind, reference, record_id)
    select current_environment(), claim_kind, w.reference, w.record_id
    from unnest(wanted, records) as w (reference, record_id)
    order by w.reference
    on conflict do nothing
    returning reference_claims.reference, reference_claims.record_id;
end
$$;
grant execute on function claim_references to jara_app;
