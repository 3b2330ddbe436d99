import { Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { Id, NairaNumber, Nullable, OneOf, PathId, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { RepeatedPayment } from "../payouts/errors.ts";
import { Currency, Narration, Reference } from "../payouts/fields.ts";
import { mostBatchItems } from "./batch.ts";
import { batchItemInput } from "./batch-items.ts";

const batchId = "01932c71-0a1b-7c2d-9e3f-405162738495";
const itemId = "01932c71-0a1b-7c2d-9e3f-4051627384a0";
const moment = "2026-11-03T09:15:00.000Z";

const anyItem = Type.Object({}, { description: "An item of another shape is judged by onInvalid, not refused here." });

export const createBatchBody = named(
  "NewBulkTransfer",
  Type.Object(
    {
      batchReference: {
        ...Reference,
        description: "Yours, and used once: the same reference with the same content is the same batch.",
      },
      currency: Currency,
      narration: Type.Optional({ ...Narration, description: "For items without a narration of their own." }),
      sourceAccountId: Type.Optional(Id("The wallet to pay from; your main wallet by default.")),
      onInvalid: Type.Optional(
        OneOf(["refuse", "continue"], {
          description: "What to do about a bad item: refuse the whole request (the default), or leave the item out.",
        }),
      ),
      transfers: Type.Array(Type.Union([batchItemInput, anyItem]), { minItems: 1, maxItems: mostBatchItems }),
    },
    {
      examples: [
        {
          batchReference: "payroll-2026-10",
          currency: "NGN",
          narration: "October",
          onInvalid: "refuse",
          transfers: [
            { accountNumber: "0690000032", bankCode: "044", amount: 150_000, reference: "payroll-2026-10-ada" },
            { accountNumber: "0111946768", bankCode: "058", amount: 90_000, reference: "payroll-2026-10-eze" },
          ],
        },
      ],
    },
  ),
);

const item = named(
  "BulkTransferItem",
  Type.Object({
    reference: Type.String(),
    id: Nullable(Type.String({ format: "uuid", description: "The transfer's; null for a rejected item." })),
    status: OneOf(["pending", "processing", "completed", "failed", "reversed", "rejected"]),
    code: Nullable(Type.String({ description: "Why it was rejected or failed." })),
    message: Nullable(Type.String()),
  }),
);

const batchFields = {
  batchId: Uuid,
  batchReference: Type.String(),
  status: OneOf(["processing", "completed"], { description: "completed: every item has its outcome." }),
  totalCount: Type.Integer(),
  acceptedCount: Type.Integer(),
  rejectedCount: Type.Integer(),
  totalAmount: Type.Number({ format: "naira", description: "Of the accepted items, whatever happened to them since." }),
  totalFee: Type.Number({
    format: "naira",
    description:
      "What was held for fees, VAT and stamp duty when the batch was accepted; an item that fails gives its part back.",
  }),
  transfers: Type.Array(item, { description: "In the order of the request." }),
};

const example = {
  batchId,
  batchReference: "payroll-2026-10",
  status: "processing",
  totalCount: 2,
  acceptedCount: 2,
  rejectedCount: 0,
  totalAmount: 240_000,
  totalFee: 207.5,
  transfers: [
    { reference: "payroll-2026-10-ada", id: itemId, status: "pending", code: null, message: null },
    { reference: "payroll-2026-10-eze", id: batchId, status: "pending", code: null, message: null },
  ],
};

export const createdBatchData = named("AcceptedBulkTransfer", Type.Object(batchFields, { examples: [example] }));

const count = Type.Integer({ minimum: 0 });
export const batchData = named(
  "BulkTransfer",
  Type.Object(
    {
      ...batchFields,
      counts: Type.Object(
        { pending: count, processing: count, completed: count, failed: count, reversed: count },
        { description: "Accepted items by state." },
      ),
      createdAt: Timestamp,
      completedAt: Nullable(Timestamp),
    },
    {
      examples: [
        {
          ...example,
          counts: { pending: 2, processing: 0, completed: 0, failed: 0, reversed: 0 },
          createdAt: moment,
          completedAt: null,
        },
      ],
    },
  ),
);

export const batchParams = Type.Object({ batchId: PathId });

export const reviewBody = Type.Object({
  sourceAccountId: Type.Optional(Type.String({ format: "uuid" })),
  transfers: Type.Array(anyItem, { minItems: 1, maxItems: mostBatchItems }),
});

export const reviewData = Type.Object({
  /** For a batch whose file names none, and the start of its items' references. */
  reference: Type.String(),
  payableCount: Type.Integer(),
  totalAmount: NairaNumber,
  totalFee: NairaNumber,
  totalDebit: NairaNumber,
  available: NairaNumber,
  /** Below zero when the wallet cannot cover it. */
  availableAfter: Type.Number(),
  rejected: Type.Array(
    Type.Object({ index: Type.Integer(), reference: Type.String(), code: Type.String(), message: Type.String() }),
  ),
  repeated: Nullable(Type.Object({ ...RepeatedPayment.properties, indexes: Type.Array(Type.Integer()) })),
});
