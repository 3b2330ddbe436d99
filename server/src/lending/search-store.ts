/** What can be found of repayments, of loan requests and of purchases on credit. */
import { sql } from "kysely";
import type { SearchedKind } from "../platform/records/search.ts";
import { repaymentReferences } from "./position/repayment.ts";

export const searchedRepayments: readonly SearchedKind[] = [
  {
    kind: "repayment",
    table: "loan_repayments",
    scope: "loans:read",
    path: "/traces/{id}",
    title: sql`t.reference`,
    details: sql`array['Repayment by ' || replace(t.channel, '_', ' ')]`,
    status: sql`case when t.reversed_at is null then 'successful' else 'reversed' end`,
    amountColumn: "amount",
    createdColumn: "recorded_at",
    references: [repaymentReferences],
    newestBy: "id",
    text: sql`t.reference`,
  },
];
