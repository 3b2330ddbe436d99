/** What it takes to end a bill. */
import type { Delivery } from "../rails/biller.ts";
import type { BillStatus } from "./bill.ts";

export interface SettleCommand {
  readonly id: string;
  readonly from: BillStatus;
  readonly to: "successful" | "failed" | "reversed";
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** What the customer got; null unless it was just delivered. */
  readonly delivery: Delivery | null;
}
