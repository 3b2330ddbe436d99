-- What a refunded order did with money that the borrower had prepaid for instalments to come. Refunds of the first
-- version kept it where it was, and what they did must be computed again as it was booked.
alter table loan_reductions add column prepaid text not null default 'kept' check (prepaid in ('kept', 'freed'));
