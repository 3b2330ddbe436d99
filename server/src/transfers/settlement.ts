/** What it takes to end a transfer, and what comes of it. */
import type { EnvironmentKind } from "../rails/registry.ts";
import type { Transfer, TransferStatus } from "./transfer.ts";

export interface SettleCommand {
  readonly id: string;
  readonly environment: EnvironmentKind;
  readonly from: TransferStatus;
  readonly to: "completed" | "failed" | "reversed";
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** The settled transfer, or null when another had moved it before. */
export type Settled = Transfer | null;

export interface SettledRecord {
  readonly command: SettleCommand;
  readonly transfer: Transfer;
}
