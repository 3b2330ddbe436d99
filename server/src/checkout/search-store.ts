/** What can be found of purchases on credit, over the tables of the whole checkout. */
import { sql } from "kysely";
import type { SearchedKind } from "../platform/records/search.ts";

const customerName = sql<string>`(
  select c.first_name || ' ' || c.last_name from customers c
  where c.environment_id = t.environment_id and c.id = t.customer_id)`;

export const searchedCheckout: readonly SearchedKind[] = [
  {
    kind: "customer",
    table: "customers",
    scope: "checkout:read",
    path: "/loans/bnpl/customers/{id}",
    title: sql`t.first_name || ' ' || t.last_name`,
    details: sql`array[t.email, t.phone]`,
    status: sql`t.kyc_status`,
    indexed: [{ column: "phone" }],
    newestBy: "list_position",
    exactly: ["external_id"],
    text: sql`concat_ws(' ', t.first_name, t.last_name, t.email, t.external_id)`,
  },
  {
    kind: "checkout_session",
    table: "checkout_sessions",
    scope: "checkout:read",
    path: "/loans/bnpl/checkout-sessions/{id}",
    title: sql`t.order_reference`,
    details: sql`array[${customerName}]`,
    status: sql`t.status`,
    amountColumn: "amount",
    indexed: [{ column: "order_reference", only: sql`t.status in ('open', 'completed')` }],
    newestBy: "id",
    exactly: ["order_reference"],
    text: sql`t.order_reference`,
  },
  {
    kind: "checkout_loan",
    table: "checkout_loans",
    scope: "checkout:read",
    path: "/loans/bnpl/loans/{id}",
    title: customerName,
    details: sql`array[
      t.tenor || case t.tenor when 1 then ' month' else ' months' end, t.bank_account_no, t.bank_name]`,
    status: sql`t.status`,
    amountColumn: "amount",
    ids: ["reference", "disbursement_id"],
    newestBy: "id",
    exactly: ["bank_account_no"],
  },
  {
    kind: "charge",
    table: "card_charges",
    scope: "checkout:read",
    path: "/traces/{id}",
    title: customerName,
    details: sql`array['Card charge', t.reference]`,
    status: sql`t.status`,
    amountColumn: "amount",
    indexed: [{ column: "reference" }],
    newestBy: "id",
  },
];
