-- What the borrower has paid of a completed loan, of the amount lent; 0 if the loan does not count. Only a card is the
-- borrower's: wallet, cash and bank transfer are all debited to a wallet of the merchant, who could pay back loans of
-- anybody to raise their limit. What is beyond the amount lent is credit or interest, and what a merchant refunded was
-- not repaid, also before its credit goes back.
create or replace function paid_by_borrower(environment uuid, account uuid, lent bigint, percent integer) returns bigint
  language sql stable set search_path = public, pg_temp
  begin atomic
    with passed as (
      select r.channel = 'card' as by_borrower, r.amount
      from loan_repayments r
      where r.environment_id = environment and r.account_id = account and r.reversed_at is null
      union all
      select r.channel = 'card', -r.amount
      from loan_credit_refunds r where r.environment_id = environment and r.account_id = account
    ), totals as (
      select coalesce(sum(p.amount) filter (where p.by_borrower), 0) as own,
        coalesce(sum(p.amount) filter (where not p.by_borrower), 0) as others,
        (select coalesce(sum(r.amount), 0) from loan_reductions r
          where r.environment_id = environment and r.account_id = account) as refunded
      from passed p
    )
    select case when t.own * 100 >= lent * percent and (t.others + t.refunded) * 100 <= lent * (100 - percent)
      then least(t.own, lent - t.others - t.refunded)::bigint else 0 end
    from totals t;
  end;
revoke execute on function paid_by_borrower from public;
grant execute on function paid_by_borrower to jara_app, jara_lookup;
