/** Transfers as the API shows them: in replies, in lists and as the data of their events. */

import { nairaNumber } from "../../money/kobo.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { bankName } from "../../rails/bank-directory.ts";
import { stampsOf } from "../../rails/order-on-wire.ts";
import { costOf, type Transfer } from "./transfer.ts";

export function presentTransfer(transfer: Transfer, environment: EnvironmentKind) {
  const { fee, vat, stampDuty, totalDebit } = costOf(transfer);
  return {
    id: transfer.id,
    reference: transfer.reference,
    externalReference: transfer.externalReference,
    batchId: transfer.batchId,
    sourceAccountId: transfer.sourceAccountId,
    accountNumber: transfer.accountNumber,
    accountName: transfer.accountName,
    bankCode: transfer.bankCode,
    bankName: bankName(transfer.bankCode),
    amount: nairaNumber(transfer.amount),
    fee: nairaNumber(fee),
    vat: nairaNumber(vat),
    stampDuty: nairaNumber(stampDuty),
    totalDebit: nairaNumber(totalDebit),
    currency: "NGN" as const,
    narration: transfer.narration,
    status: transfer.status,
    sessionId: transfer.sessionId,
    failureReason: transfer.failureReason,
    metadata: transfer.metadata,
    ...stampsOf(transfer, environment),
  };
}

export type PresentedTransfer = ReturnType<typeof presentTransfer>;
