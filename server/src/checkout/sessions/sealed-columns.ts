import type { SealedColumn } from "../../platform/secrets/reseal.ts";

/** What opens the session's page, kept so that its address can be shown again. */
export const sealedSessionToken = {
  table: "checkout_sessions",
  column: "sealed_token",
  key: "id",
} as const satisfies SealedColumn;

export const sessionSealedColumns: readonly SealedColumn[] = [sealedSessionToken];
