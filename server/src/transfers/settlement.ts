/** What it takes to end a transfer, and who is told. */
import type { Tx } from "../platform/database/database.ts";
import type { Transfer, TransferStatus } from "./transfer.ts";

/** Told, in the same transaction, what became of a disbursement. */
export type DisbursementSettled = (tx: Tx, transfer: Transfer) => Promise<void>;

/** The same of one owner of loans: false when the disbursement is not its own. */
export type DisbursementTaken = (tx: Tx, transfer: Transfer) => Promise<boolean>;

export interface SettleCommand {
  readonly id: string;
  readonly from: TransferStatus;
  readonly to: "completed" | "failed" | "reversed";
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly disbursementSettled?: DisbursementSettled | undefined;
}
