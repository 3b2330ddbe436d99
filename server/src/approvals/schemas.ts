import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { ExactlyOneOf, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { pageQuery } from "../platform/records/pagination.ts";
import { batchOrder, type OrderPreview, payoutOrder, type ReadOrder } from "../transfers/order-desk.ts";
import { type Approval, approvalStatuses, statusAt } from "./approval.ts";

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "\\S" });

export const askBody = ExactlyOneOf(
  Type.Object({
    payout: Type.Optional(payoutOrder),
    batch: Type.Optional(batchOrder),
    note: Type.Optional(text(500)),
  }),
  ["payout", "batch"],
);

export const rejectBody = Type.Object({ reason: Type.Optional(text(500)) });

export const listQuery = Type.Object({ ...pageQuery.properties, waiting: Type.Optional(OneOf(["true"])) });

const fields = {
  id: Uuid,
  kind: OneOf(["payout", "batch"]),
  status: OneOf(approvalStatuses),
  reference: Type.String(),
  amount: NairaNumber,
  payoutCount: Type.Integer(),
  note: Nullable(Type.String()),
  requestedBy: Type.String(),
  /** Whether the person who asks this is the asker. */
  isOwn: Type.Boolean(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  decidedBy: Nullable(Type.String()),
  decidedAt: Nullable(Timestamp),
  reason: Nullable(Type.String()),
  transferId: Nullable(Uuid),
  batchId: Nullable(Uuid),
};

export const approvalData = Type.Object(fields);

const preview = Type.Object({
  fee: NairaNumber,
  totalDebit: NairaNumber,
  available: NairaNumber,
  /** Below zero when the wallet cannot cover it. */
  availableAfter: Type.Number(),
  bankSays: Nullable(Type.String()),
  refusal: Nullable(Type.String()),
});

export const detailData = Type.Object({
  ...fields,
  payouts: Type.Array(
    Type.Object({
      reference: Type.String(),
      accountNumber: Type.String(),
      bankCode: Type.String(),
      bankName: Nullable(Type.String()),
      amount: NairaNumber,
      narration: Nullable(Type.String()),
      accountName: Nullable(Type.String()),
    }),
  ),
  /** While it waits. */
  preview: Nullable(preview),
});

export function presentApproval(approval: Approval, viewerId: string, now: Date): Static<typeof approvalData> {
  const { decision, requestedBy } = approval;
  return {
    id: approval.id,
    kind: approval.order.kind,
    status: statusAt(approval, now),
    reference: approval.reference,
    amount: nairaNumber(approval.amount),
    payoutCount: approval.payouts,
    note: approval.note,
    requestedBy: requestedBy.email,
    isOwn: requestedBy.id === viewerId,
    createdAt: approval.createdAt.toISOString(),
    expiresAt: approval.expiresAt.toISOString(),
    decidedBy: decision?.by.email ?? null,
    decidedAt: decision?.at.toISOString() ?? null,
    reason: decision?.reason ?? null,
    transferId: approval.transferId,
    batchId: approval.batchId,
  };
}

export function presentPayouts({ payouts }: ReadOrder): Static<typeof detailData>["payouts"] {
  return payouts.map(({ reference, accountNumber, bankCode, bankName, amount, narration, accountName }) => ({
    reference,
    accountNumber,
    bankCode,
    bankName,
    amount: nairaNumber(amount),
    narration,
    accountName,
  }));
}

export function presentPreview(told: OrderPreview): Static<typeof preview> {
  return {
    fee: nairaNumber(told.fee),
    totalDebit: nairaNumber(told.totalDebit),
    available: nairaNumber(told.available),
    availableAfter: nairaNumber(told.availableAfter),
    bankSays: told.bankSays,
    refusal: told.refusal,
  };
}

export const limitBody = Type.Object({
  amount: Nullable(Type.Number({ format: "naira", minimum: 0, maximum: 100_000_000_000 })),
});

export const limitData = Type.Object({
  amount: Nullable(NairaNumber),
  setBy: Nullable(Type.String()),
  setAt: Nullable(Timestamp),
  /** What the person who asks has paid alone within the last 24 hours. */
  spent: NairaNumber,
});
