/** What can be found of loan requests. */
import { sql } from "kysely";
import type { SearchedKind } from "../platform/records/search.ts";

export const searchedLoans: readonly SearchedKind[] = [
  {
    kind: "loan",
    table: "loan_requests",
    scope: "loans:read",
    path: "/loans/{id}",
    title: sql`t.first_name || ' ' || t.last_name`,
    details: sql`array[t.phone, t.account_number, t.bank_name]`,
    status: sql`t.status`,
    amountColumn: "amount",
    ids: ["reference", "disbursement_id"],
    newestBy: "list_position",
    exactly: ["account_number", "phone"],
    text: sql`concat_ws(' ', t.first_name, t.last_name, t.email, t.account_name)`,
  },
];
