import { type Static, Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { AtLeastOneOf, Id, Nullable, OneOf, Uuid } from "../../platform/http/wire.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { pageQuery } from "../../platform/records/pagination.ts";
import { spanFields } from "../../platform/time/time-span.ts";
import { orderStamps } from "../../rails/order-on-wire.ts";
import { AccountName, AccountNumber, Amount, BankCode, Currency, Narration, Reference } from "./fields.ts";
import { transferTransitions } from "./transfer.ts";

const transferId = "01932c70-4d5e-7f60-8a1b-2c3d4e5f6071";
const walletId = "01932c60-1d2e-7a3b-8c4d-5e6f70819203";
const moment = "2026-11-03T09:15:00.000Z";

const statuses = keysOf(transferTransitions);

const status = named(
  "TransferStatus",
  OneOf(statuses, {
    description: "completed, failed and reversed are final, but for completed becoming reversed.",
  }),
);

const givenBack = "0 once the transfer failed or was reversed: it came back with the amount.";

type Metadata = Record<string, string | number | boolean | null>;
const metadataRules = {
  additionalProperties: { type: ["string", "number", "boolean", "null"], maxLength: 500 },
  description: "Your own data: flat, at most 20 keys. Returned with the record and in its events.",
  examples: [{ orderId: "1042" }],
};

const createTransferFields = Type.Object(
  {
    accountNumber: AccountNumber,
    bankCode: BankCode,
    amount: Amount,
    currency: Currency,
    reference: Type.Optional(Reference),
    externalReference: Type.Optional({
      ...Reference,
      description:
        "A second reference of yours. It shares one namespace with reference, and stands in for it when reference is missing.",
    }),
    narration: Type.Optional(Narration),
    accountName: Type.Optional(AccountName),
    nameEnquiryReference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: "From GET /transfers/name-enquiry, within half an hour: the bank is not asked a second time.",
      }),
    ),
    sourceAccountId: Type.Optional(Id("The wallet to pay from; your main wallet by default.")),
    metadata: Type.Optional(
      Type.Unsafe<Metadata>({
        type: "object",
        maxProperties: 20,
        propertyNames: { minLength: 1, maxLength: 100 },
        ...metadataRules,
      }),
    ),
  },
  {
    examples: [
      {
        accountNumber: "0690000032",
        bankCode: "044",
        amount: 2500.5,
        currency: "NGN",
        reference: "payout-1042",
        narration: "October",
        metadata: { orderId: "1042" },
      },
    ],
  },
);

export const createTransferBody = named(
  "NewTransfer",
  AtLeastOneOf(createTransferFields, ["reference", "externalReference"]),
);

export const transferData = named(
  "Transfer",
  Type.Object(
    {
      id: Uuid,
      reference: Type.String(),
      externalReference: Nullable(Type.String()),
      batchId: Nullable(Uuid),
      sourceAccountId: Uuid,
      accountNumber: Type.String(),
      accountName: Nullable(Type.String({ description: "As the bank returned it; null until the bank was asked." })),
      bankCode: Type.String(),
      bankName: Type.String(),
      amount: Type.Number({ format: "naira", description: "The amount of the request, whatever the outcome." }),
      fee: Type.Number({ format: "naira", description: givenBack }),
      vat: Type.Number({ format: "naira", description: givenBack }),
      stampDuty: Type.Number({ format: "naira", description: givenBack }),
      totalDebit: Type.Number({
        format: "naira",
        description:
          "What your wallet is debited: amount, fee, VAT and stamp duty, held while the transfer is open. 0 once it failed or was reversed, because everything came back.",
      }),
      currency: Currency,
      narration: Nullable(Type.String()),
      status,
      sessionId: Nullable(Type.String({ description: "30 digits by which the bank knows the payment, once sent." })),
      failureReason: Nullable(
        Type.Object(
          { code: Type.String(), message: Type.String() },
          { description: "Why it failed or came back; nip_ and two digits is the bank's own code." },
        ),
      ),
      metadata: Type.Unsafe<Metadata | null>({ type: ["object", "null"], ...metadataRules }),
      ...orderStamps,
    },
    {
      examples: [
        {
          id: transferId,
          reference: "payout-1042",
          externalReference: null,
          batchId: null,
          sourceAccountId: walletId,
          accountNumber: "0690000032",
          accountName: "ADAEZE NGOZI OKAFOR",
          bankCode: "044",
          bankName: "Access Bank",
          amount: 2500.5,
          fee: 10,
          vat: 0.75,
          stampDuty: 0,
          totalDebit: 2511.25,
          currency: "NGN",
          narration: "October",
          status: "pending",
          sessionId: null,
          failureReason: null,
          metadata: { orderId: "1042" },
          environment: "SANDBOX",
          createdAt: moment,
          updatedAt: moment,
          completedAt: null,
        },
      ],
    },
  ),
);

export const verifyQuery = Type.Object({
  reference: { ...Reference, description: "The reference or externalReference of the request." },
});

const listedAmount = (which: string) =>
  Type.Optional(Type.Number({ format: "naira", minimum: 0, description: `${which}, in naira.`, examples: [2500.5] }));

export const listQuery = Type.Object({
  status: Type.Optional(
    Type.String({
      pattern: `^(${statuses.join("|")})(,(${statuses.join("|")}))*$`,
      maxLength: 100,
      description: `One of ${statuses.join(", ")}, or several with commas between them.`,
      examples: ["completed"],
    }),
  ),
  bankCode: Type.Optional({ ...BankCode, description: "Payouts to this bank: its CBN code or its NIP code." }),
  minAmount: listedAmount("This amount or more"),
  maxAmount: listedAmount("This amount or less"),
  reference: Type.Optional({ ...Reference, description: "The one transfer with this reference or externalReference." }),
  ...spanFields,
  ...pageQuery.properties,
});

export type ListTransfersQuery = Static<typeof listQuery>;
export type CreateTransferBody = Static<typeof createTransferBody>;
