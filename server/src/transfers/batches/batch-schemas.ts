import { type Static, Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { Id, NairaNumber, Nullable, OneOf, PathId, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { pageQuery } from "../../platform/records/pagination.ts";
import { spanFields } from "../../platform/time/time-span.ts";
import { RepeatedPayment } from "../payouts/errors.ts";
import { Currency, Narration, Reference } from "../payouts/fields.ts";
import { mostBatchItems } from "./batch.ts";
import { batchItemInput } from "./batch-items.ts";

const batchId = "01932c71-0a1b-7c2d-9e3f-405162738495";
const itemId = "01932c71-0a1b-7c2d-9e3f-4051627384a0";
const moment = "2026-11-03T09:15:00.000Z";

const anyItem = Type.Object({}, { description: "An item of another shape is judged by onInvalid, not refused here." });

const leftOutRow = named(
  "LeftOutRow",
  Type.Object({
    reference: { ...Reference, description: "Yours, or the row's number. It is not used up." },
    reason: Type.String({ minLength: 1, maxLength: 300, examples: ["The bank has no account with this number."] }),
    accountNumber: Type.Optional(Type.String({ maxLength: 200, examples: ["12345"] })),
    accountName: Type.Optional(Type.String({ maxLength: 200 })),
    bankCode: Type.Optional(Type.String({ maxLength: 200, examples: ["058"] })),
    amount: Type.Optional(Type.Number({ minimum: 0, examples: [90_000] })),
  }),
);

export type LeftOutRow = Static<typeof leftOutRow>;

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
      leftOut: Type.Optional(
        Type.Array(leftOutRow, {
          maxItems: mostBatchItems,
          description: "Rows of your file that you do not pay. The batch lists them as rejected, with code left_out.",
        }),
      ),
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
    accountNumber: Nullable(Type.String()),
    accountName: Nullable(
      Type.String({ description: "The bank's name for the holder; before the bank was asked, the one you expect." }),
    ),
    bankCode: Nullable(Type.String()),
    bankName: Nullable(Type.String()),
    amount: Nullable(Type.Number({ format: "naira" })),
  }),
);

const summaryFields = {
  batchId: Uuid,
  batchReference: Type.String(),
  status: OneOf(["processing", "completed"], { description: "completed: every item has its outcome." }),
  totalCount: Type.Integer(),
  acceptedCount: Type.Integer(),
  rejectedCount: Type.Integer({ description: "Rejected items, and rows that you left out." }),
  openCount: Type.Integer({ description: "Accepted items that have no outcome yet." }),
  totalAmount: Type.Number({ format: "naira", description: "Of the accepted items, whatever happened to them since." }),
  totalFee: Type.Number({
    format: "naira",
    description:
      "What was held for fees, VAT and stamp duty when the batch was accepted; an item that fails gives its part back.",
  }),
};
const batchFields = {
  ...summaryFields,
  transfers: Type.Array(item, { description: "In the order of the request; rows that you left out follow." }),
};

const paid = {
  status: "pending",
  code: null,
  message: null,
  accountNumber: "0690000032",
  accountName: null,
  bankCode: "044",
  bankName: "Access Bank",
};
const example = {
  batchId,
  batchReference: "payroll-2026-10",
  status: "processing",
  totalCount: 2,
  acceptedCount: 2,
  rejectedCount: 0,
  openCount: 2,
  totalAmount: 240_000,
  totalFee: 207.5,
  transfers: [
    { reference: "payroll-2026-10-ada", id: itemId, ...paid, amount: 150_000 },
    { reference: "payroll-2026-10-eze", id: batchId, ...paid, accountNumber: "0690000018", amount: 90_000 },
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

const { transfers: _, ...summaryExample } = example;
export const listedBatch = named(
  "BulkTransferSummary",
  Type.Object(
    {
      ...summaryFields,
      createdAt: Timestamp,
      completedAt: Nullable(Timestamp),
    },
    { examples: [{ ...summaryExample, createdAt: moment, completedAt: null }] },
  ),
);

export const batchesQuery = Type.Object({
  status: Type.Optional(OneOf(["processing", "completed"], { description: "completed: every item has its outcome." })),
  reference: Type.Optional({ ...Reference, description: "The one batch with this batchReference." }),
  ...spanFields,
  ...pageQuery.properties,
});

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
