-- Whether a completed loan proves that its borrower repays. Money by card, or debited to a wallet, came for certain; a
-- merchant's refund of the order, cash that a merchant reports, and bank transfers that no wallet stood for prove
-- nothing about the borrower. So much of the amount must have come for certain and stayed, and the rest may be no
-- larger than what is then missing: credit of an order that was refunded is the borrower's, also before it goes back.
create or replace function was_really_repaid(environment uuid, account uuid, lent bigint, percent integer)
  returns boolean
  language sql stable set search_path = public, pg_temp
  begin atomic
    with passed as (
      select r.channel = 'card' or (r.channel <> 'cash' and r.wallet_id is not null) as for_certain, r.amount
      from loan_repayments r
      where r.environment_id = environment and r.account_id = account and r.reversed_at is null
      union all
      select r.channel = 'card' or (r.channel <> 'cash' and r.wallet_id is not null), -r.amount
      from loan_credit_refunds r where r.environment_id = environment and r.account_id = account
      union all
      select false, r.amount from loan_reductions r where r.environment_id = environment and r.account_id = account
    )
    select coalesce(sum(p.amount) filter (where p.for_certain), 0) * 100 >= lent * percent
      and coalesce(sum(p.amount) filter (where not p.for_certain), 0) * 100 <= lent * (100 - percent)
    from passed p;
  end;
revoke execute on function was_really_repaid from public;
grant execute on function was_really_repaid to jara_app, jara_lookup;
