/**
 * A disbursement is a transfer of the lender's: it pays a loan out to the borrower's account. The money is held on the
 * lender's funding account in the caller's transaction, in which the loan also learns that it is under way.
 */
import { letWorkersSee } from "../ledger/held-payment.ts";
import { post } from "../ledger/post.ts";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { claimReferences } from "../platform/records/reference-claims.ts";
import { holdPosting, pendingTransfer, sendTask } from "./accept-transfer.ts";
import { noCharge } from "./tariff.ts";
import { disbursementReferences, type Transfer } from "./transfer.ts";
import { insertTransfers } from "./transfer-store.ts";

export interface Disbursement {
  /** Unique among disbursements; the merchant's references are another namespace. */
  readonly reference: string;
  /** The lender's funding account. */
  readonly sourceAccountId: string;
  readonly accountNumber: string;
  /** The CBN code. */
  readonly bankCode: string;
  readonly amount: Kobo;
  readonly narration: string;
}

/** Throws insufficient_funds when the lender lacks the money. The worker asks the bank for the holder's name first. */
export async function acceptDisbursement(tx: Tx, disbursement: Disbursement): Promise<Transfer> {
  const { clock } = tx.environment;
  const unnamed = { externalReference: null, batchId: null, accountName: null, expectedName: null, metadata: null };
  const accepted = pendingTransfer(clock.newId(), { ...unnamed, ...disbursement }, noCharge, clock.now());
  const transfer: Transfer = { ...accepted, purpose: "disbursement" };
  const claim = { references: [transfer.reference], recordId: transfer.id };
  const [holder] = await claimReferences(tx, disbursementReferences, [claim]);
  if (holder != null) throw new Error(`the disbursement ${transfer.reference} was made before`);
  await post(tx, { ...holdPosting(transfer), kind: "disbursement.held" });
  const claimable = await letWorkersSee(tx, sendTask, [transfer]);
  await insertTransfers(tx, { records: [transfer], firstPosition: null, claimable });
  return transfer;
}
