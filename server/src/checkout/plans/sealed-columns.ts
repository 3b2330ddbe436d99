import type { SealedColumn } from "../../platform/secrets/reseal.ts";

/** What opens the door of a plan's page, kept so that its address can be shown again. */
export const sealedPlanToken = {
  table: "plan_pages",
  column: "sealed_token",
  key: "id",
} as const satisfies SealedColumn;

export const planSealedColumns: readonly SealedColumn[] = [sealedPlanToken];
