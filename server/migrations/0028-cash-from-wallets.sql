-- Cash and bank transfers that reached a merchant are debited to a wallet of the merchant's. Rows from before have no
-- wallet: their money is what merchants owe by the account merchant_receivable, and goes back from there alone.
alter table loan_repayments
  drop constraint loan_repayments_check,
  add constraint loan_repayments_wallet check (
    case channel when 'wallet' then wallet_id is not null when 'card' then wallet_id is null else true end);
alter table loan_credit_refunds
  drop constraint loan_credit_refunds_check,
  add constraint loan_credit_refunds_wallet check (
    case channel when 'wallet' then wallet_id is not null when 'card' then wallet_id is null else true end);
