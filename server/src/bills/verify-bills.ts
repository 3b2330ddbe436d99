/** What a bill's row means to the ledger (settle-bill.ts books it), for verification. */
import { sql } from "kysely";
import type { PaymentBooks } from "../platform/records/payment-books.ts";
import { mainWalletId } from "../wallets/wallet.ts";
import { billResource } from "./bill.ts";

export const billBooks: PaymentBooks = {
  type: billResource,
  accounts: ["bills_settlement", "fee_income", "commission_expense"],
  records: (environmentId) => sql`
    select id, coalesce(source_account_id, ${mainWalletId(environmentId)}::uuid) as owner,
      case when status in ('pending', 'processing') then amount + fee else 0 end as held,
      case when status = 'successful' then array[amount, fee, -commission] else '{}' end as parts,
      case status when 'pending' then 1 when 'processing' then 1 when 'failed' then 2
        when 'successful' then 2 + (commission > 0)::integer else 3 + 2 * (commission > 0)::integer end as postings
    from bills where environment_id = ${environmentId}`,
};
