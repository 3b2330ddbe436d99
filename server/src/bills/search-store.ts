/** What can be found of bills. */
import { sql } from "kysely";
import type { SearchedKind } from "../platform/records/search.ts";
import { billList } from "./vending/bill.ts";

export const searchedBills: readonly SearchedKind[] = [
  {
    kind: "bill",
    table: "bills",
    scope: "bills:read",
    path: "/bills/{id}",
    title: sql`t.reference`,
    details: sql`array[t.product_name, t.customer, t.customer_name]`,
    status: sql`t.status`,
    amountColumn: "amount",
    references: [billList],
    newestBy: "list_position",
    exactly: ["customer", "phone_number", "receipt_number", "request_id", "token"],
    text: sql`concat_ws(' ', t.reference, t.customer_name)`,
  },
];
