import { Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { Id, Nullable, OneOf, Uuid } from "../../platform/http/wire.ts";
import { pageQuery } from "../../platform/records/pagination.ts";
import { spanFields } from "../../platform/time/time-span.ts";
import { orderStamps } from "../../rails/order-on-wire.ts";
import { billStatuses } from "./bill.ts";
import {
  BettingCustomer,
  BillAmount,
  BillReference,
  Category,
  MeterNumber,
  MeterTypeWord,
  NetworkCode,
  PhoneNumber,
  ProviderCode,
  SmartCardNumber,
  SubscriptionTypeWord,
  ValidationReference,
} from "./fields.ts";

const planCode = Type.String({
  minLength: 1,
  maxLength: 60,
  description: "From GET /bills/data/list.",
  examples: ["mtn-1gb-7d"],
});
const packageCode = Type.String({
  minLength: 1,
  maxLength: 60,
  description: "From GET /bills/tv/list.",
  examples: ["dstv-compact"],
});

const sourceAccountId = Type.Optional(
  Id("The wallet that pays and earns the commission; your main wallet by default."),
);

export const airtimeBody = named(
  "AirtimeOrder",
  Type.Object({
    network: NetworkCode,
    phoneNumber: PhoneNumber,
    amount: BillAmount,
    reference: BillReference,
    sourceAccountId,
  }),
);

export const dataBody = named(
  "DataOrder",
  Type.Object({
    network: NetworkCode,
    phoneNumber: PhoneNumber,
    planCode,
    reference: BillReference,
    sourceAccountId,
  }),
);

export const electricityBody = named(
  "ElectricityOrder",
  Type.Object({
    provider: ProviderCode("/bills/electricity/list", "ikeja-electric"),
    meterNumber: MeterNumber,
    meterType: MeterTypeWord,
    amount: BillAmount,
    phoneNumber: PhoneNumber,
    reference: BillReference,
    sourceAccountId,
  }),
);

export const tvBody = named(
  "TvOrder",
  Type.Object(
    {
      provider: ProviderCode("/bills/tv/list", "dstv"),
      smartCardNumber: SmartCardNumber,
      packageCode: Type.Optional({
        ...packageCode,
        description: "From GET /bills/tv/list. Needed for change; renew uses the card's current package.",
      }),
      subscriptionType: SubscriptionTypeWord,
      phoneNumber: PhoneNumber,
      reference: BillReference,
      sourceAccountId,
      validationReference: Type.Optional(ValidationReference),
    },
    {
      // What is missing for a change is told together with everything else.
      if: { not: { properties: { subscriptionType: { const: "renew" } }, required: ["subscriptionType"] } },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema names it so.
      then: { required: ["packageCode"] },
    },
  ),
);

export const bettingBody = named(
  "BettingOrder",
  Type.Object({
    provider: ProviderCode("/bills/betting/list", "bet9ja"),
    customerId: BettingCustomer,
    amount: BillAmount,
    reference: BillReference,
    sourceAccountId,
    validationReference: Type.Optional(ValidationReference),
  }),
);

const status = named(
  "BillStatus",
  OneOf(billStatuses, {
    description: "successful, failed and reversed are final, but for successful becoming reversed.",
  }),
);

const moment = "2026-11-03T09:15:00.000Z";

export const billData = named(
  "Bill",
  Type.Object(
    {
      id: Uuid,
      reference: Type.String(),
      sourceAccountId: Uuid,
      category: Category,
      provider: Type.String(),
      product: Type.Object({ code: Type.String(), name: Type.String() }),
      customer: Type.Object({
        identifier: Type.String({ description: "Phone number (E.164), meter, smart card or betting account." }),
        name: Nullable(Type.String({ description: "As the provider returned it when the customer was validated." })),
      }),
      amount: Type.Number({ format: "naira", description: "The amount of the request, whatever the outcome." }),
      fee: Type.Number({
        format: "naira",
        description: "What the bill costs on top; 0 once it failed or was reversed.",
      }),
      commission: Type.Number({
        format: "naira",
        description:
          "What you earn: credited to your wallet on success, and expected until then. 0 once the bill failed or was reversed.",
      }),
      totalDebited: Type.Number({
        format: "naira",
        description:
          "What your wallet is debited: amount and fee, held while the bill is open. 0 once it failed or was reversed, because everything came back.",
      }),
      currency: Type.Unsafe<"NGN">({ type: "string", enum: ["NGN"] }),
      status,
      token: Nullable(Type.String({ description: "20 digits to type into a prepaid meter." })),
      units: Nullable(Type.Number({ description: "Kilowatt hours, of a prepaid meter." })),
      receiptNumber: Nullable(Type.String({ description: "The biller's, once it delivered." })),
      failureReason: Nullable(
        Type.Object({ code: Type.String(), message: Type.String() }, { description: "Why it failed or came back." }),
      ),
      ...orderStamps,
    },
    {
      examples: [
        {
          id: "01932c70-4d5e-7f60-8a1b-2c3d4e5f6071",
          reference: "order-1042",
          sourceAccountId: "01932c60-1d2e-7a3b-8c4d-5e6f70819203",
          category: "airtime",
          provider: "MTN",
          product: { code: "mtn-airtime", name: "MTN airtime" },
          customer: { identifier: "+2348031234567", name: null },
          amount: 1000,
          fee: 0,
          commission: 25,
          totalDebited: 1000,
          currency: "NGN",
          status: "pending",
          token: null,
          units: null,
          receiptNumber: null,
          failureReason: null,
          environment: "SANDBOX",
          createdAt: moment,
          updatedAt: moment,
          completedAt: null,
        },
      ],
    },
  ),
);

export const statusBody = Type.Object({ reference: BillReference });

export const listQuery = Type.Object({
  status: Type.Optional(status),
  category: Type.Optional(Category),
  reference: Type.Optional({ ...BillReference, description: "The one bill with this reference." }),
  ...spanFields,
  ...pageQuery.properties,
});
