/** What a transfer's row means to the ledger (settle-transfer.ts books it), for verification. */
import { sql } from "kysely";
import type { PaymentBooks } from "../platform/records/payment-books.ts";
import { transferResource } from "./transfer.ts";

export const transferBooks: PaymentBooks = {
  type: transferResource,
  accounts: ["bank_settlement", "fee_income", "vat_payable", "stamp_duty_payable"],
  records: (environmentId) => sql`
    select id, source_account_id as owner,
      case when status in ('pending', 'processing') then amount + fee + vat + stamp_duty else 0 end as held,
      case when status = 'completed' then array[amount, fee, vat, stamp_duty] else '{}' end as parts,
      case status when 'pending' then 1 when 'processing' then 1 when 'reversed' then 3 else 2 end as postings
    from transfers where environment_id = ${environmentId}`,
};
