/** What the console shows of a bill. The fields are those of the public API. */
export const billStatuses = ["pending", "processing", "successful", "failed", "reversed"] as const;
export const billCategories = ["airtime", "data", "electricity", "tv", "betting"] as const;

export interface Bill {
  readonly id: string;
  readonly reference: string;
  readonly category: string;
  readonly provider: string;
  readonly product: { readonly code: string; readonly name: string };
  readonly customer: { readonly identifier: string; readonly name: string | null };
  readonly amount: number;
  readonly fee: number;
  readonly commission: number;
  readonly totalDebited: number;
  readonly status: (typeof billStatuses)[number];
  readonly token: string | null;
  readonly units: number | null;
  readonly receiptNumber: string | null;
  readonly failureReason: { readonly code: string; readonly message: string } | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
}
