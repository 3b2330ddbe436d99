-- Lists of loans that are filtered by state count over this index.
create index loan_requests_by_status on loan_requests (environment_id, status, list_position);

-- The wallet that pays a bill. Null for bills from before another than the main wallet could be named.
alter table bills add column source_account_id uuid;
