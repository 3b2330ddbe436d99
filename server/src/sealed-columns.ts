import { cardSealedColumns } from "./checkout/cards/sealed-columns.ts";
import { customerSealedColumns } from "./checkout/customers/sealed-columns.ts";
import { planSealedColumns } from "./checkout/plans/sealed-columns.ts";
import { sessionSealedColumns } from "./checkout/sessions/sealed-columns.ts";
import { loanSealedColumns } from "./loans/sealed-columns.ts";
import type { SealedColumn } from "./platform/secrets/reseal.ts";

/**
 * Every column that holds sealed bytes. A test compares the list with the database: a column of this kind is called
 * sealed_…, and one that is missing here would be unreadable after the next exchange of the master key.
 */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "idempotency_keys", column: "sealed_body", key: "key" },
  { table: "webhook_endpoints", column: "sealed_secret", key: "id" },
  { table: "webhook_endpoints", column: "sealed_previous_secret", key: "id" },
  ...loanSealedColumns,
  ...customerSealedColumns,
  ...cardSealedColumns,
  ...sessionSealedColumns,
  ...planSealedColumns,
];
