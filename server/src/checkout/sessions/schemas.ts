/** Checkout sessions as the merchant sends and reads them. */

import { type Static, Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import {
  EnvironmentWord,
  ExactlyOneOf,
  Id,
  NairaNumber,
  Nullable,
  OneOf,
  Timestamp,
  Uuid,
} from "../../platform/http/wire.ts";
import { pageQuery } from "../../platform/records/pagination.ts";
import { spanFields } from "../../platform/time/time-span.ts";
import { AccountNumber, BankCode } from "../../transfers/payouts/fields.ts";
import { customerBody } from "../customers/schemas.ts";
import { sessionStatuses } from "./checkout-session.ts";

const Reference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "Your own name for the order. It belongs to one session that is open or completed.",
  examples: ["order-1042"],
});

const Address = (what: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: `${what} https; in a sandbox also http://localhost. session_id and status are added to its query; they prove nothing, so read the session to learn how it ended.`,
    examples: [example],
  });

const item = named(
  "OrderItem",
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 120, pattern: "\\S", examples: ["Rechargeable fan"] }),
    quantity: Type.Integer({ minimum: 1, maximum: 100_000, examples: [2] }),
    amount: Type.Number({
      format: "naira",
      minimum: 0,
      maximum: 1_000_000_000,
      description: "What all the pieces of this line cost together, in naira.",
      examples: [120000],
    }),
  }),
);

const createSessionFields = Type.Object(
  {
    customer_id: Type.Optional(Id("Who buys; this or customer.")),
    customer: Type.Optional(customerBody),
    amount: Type.Number({
      format: "naira",
      exclusiveMinimum: 0,
      maximum: 1_000_000_000,
      description: "What the order costs, in naira with at most two decimals.",
      examples: [120000],
    }),
    items: Type.Optional(
      Type.Array(item, {
        maxItems: 100,
        description: "What the order consists of, for the customer to see. The amounts add up to `amount`.",
      }),
    ),
    bank_account_no: AccountNumber,
    bank_code: BankCode,
    order_reference: Reference,
    success_url: Address("Where the customer goes after a completed checkout.", "https://shop.example.com/thanks"),
    cancel_url: Address("Where the customer goes otherwise.", "https://shop.example.com/basket"),
  },
  {
    examples: [
      {
        customer_id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
        amount: 120000,
        items: [{ name: "Rechargeable fan", quantity: 2, amount: 120000 }],
        bank_account_no: "0690000032",
        bank_code: "044",
        order_reference: "order-1042",
        success_url: "https://shop.example.com/thanks",
        cancel_url: "https://shop.example.com/basket",
      },
    ],
  },
);

export const createSessionBody = named(
  "NewCheckoutSession",
  ExactlyOneOf(createSessionFields, ["customer_id", "customer"]),
);

export const sessionData = named(
  "CheckoutSession",
  Type.Object({
    id: Uuid,
    url: Nullable(
      Type.String({
        description:
          "Where to send the customer; null once the session has ended. Anybody who has this address acts as the customer, so give it to nobody else.",
        examples: ["https://api.example.com/checkout/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11#sT0k3n"],
      }),
    ),
    status: OneOf(sessionStatuses, { examples: ["open"] }),
    customer_id: Uuid,
    loan_id: Nullable(Uuid),
    order_reference: Reference,
    amount: NairaNumber,
    items: Type.Array(item),
    currency: OneOf(["NGN"]),
    bank_account_no: AccountNumber,
    bank_code: BankCode,
    success_url: Type.String({ examples: ["https://shop.example.com/thanks"] }),
    cancel_url: Type.String({ examples: ["https://shop.example.com/basket"] }),
    environment: EnvironmentWord,
    expires_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);

export const listQuery = Type.Object({
  status: Type.Optional(OneOf(sessionStatuses)),
  customer_id: Type.Optional({ ...Uuid, description: "Sessions of this customer." }),
  ...spanFields,
  ...pageQuery.properties,
});

export type PresentedSession = Static<typeof sessionData>;
