/** What it takes to end a bill, and what comes of it. */
import type { EnvironmentKind } from "../platform/database/database.ts";
import type { Delivery } from "../rails/biller.ts";
import type { Bill, BillStatus } from "./bill.ts";

export interface SettleCommand {
  readonly id: string;
  readonly environment: EnvironmentKind;
  readonly from: BillStatus;
  readonly to: "successful" | "failed" | "reversed";
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** What the customer got; null unless it was just delivered. */
  readonly delivery: Delivery | null;
}

/** The settled bill, or null when another had moved it before. */
export type Settled = Bill | null;

export interface SettledRecord {
  readonly command: SettleCommand;
  readonly bill: Bill;
}
