/** What a body asks for, in the words of the use cases. */
import type { Static } from "typebox";
import { readNaira } from "../platform/http/wire.ts";
import type { createBatchBody } from "./batch-schemas.ts";
import type { BatchRequest } from "./create-batch.ts";
import type { TransferRequest } from "./create-transfer.ts";
import type { CreateTransferBody } from "./schemas.ts";

export function payoutRequestOf(body: CreateTransferBody): TransferRequest {
  const reference = body.reference ?? body.externalReference;
  if (reference === undefined) throw new Error("the schema let a payout without a reference pass");
  return {
    reference,
    externalReference: body.externalReference ?? null,
    sourceAccountId: body.sourceAccountId ?? null,
    accountNumber: body.accountNumber,
    bankCode: body.bankCode,
    amount: readNaira(body.amount),
    narration: body.narration ?? null,
    metadata: body.metadata ?? null,
    accountName: body.accountName ?? null,
    nameEnquiryReference: body.nameEnquiryReference ?? null,
  };
}

export type CreateBatchBody = Static<typeof createBatchBody>;

/** `sourceAccountId` is null for the main wallet, once it is known whose wallet was named. */
export function batchRequestOf(body: CreateBatchBody, sourceAccountId: string | null): BatchRequest {
  const { batchReference, transfers, narration = null, onInvalid = "refuse" } = body;
  return { batchReference, narration, onInvalid, sourceAccountId, transfers };
}
