/** What a gift card's row means to the ledger, for verification: what was paid to the vendor is what was delivered. */
import { sql } from "kysely";
import type { PaymentBooks } from "../../src/platform/records/payment-books.ts";
import { giftCardResource, settlementAccount } from "./gift-card.ts";

export const giftCardBooks: PaymentBooks = {
  type: giftCardResource,
  accounts: [settlementAccount],
  records: (environmentId) => sql`
    select id, source_account_id as owner,
      case when status in ('pending', 'processing') then amount else 0 end as held,
      case when status = 'delivered' then array[amount] else '{}' end as parts,
      case when status in ('pending', 'processing') then 1 else 2 end as postings
    from gift_cards where environment_id = ${environmentId}`,
};
