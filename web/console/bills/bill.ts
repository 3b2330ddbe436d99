import type { BillCategoryCode, BillStatus } from "@jara/sdk";

export const billStatuses: readonly BillStatus[] = ["pending", "processing", "successful", "failed", "reversed"];
export const billCategories: readonly BillCategoryCode[] = ["airtime", "data", "electricity", "tv", "betting"];
