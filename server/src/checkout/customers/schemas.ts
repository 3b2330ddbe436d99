/** Customers as the API takes and shows them. BVN and NIN go in and never come out. */

import { type Static, Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { Email, Nullable, OneOf, PathId, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { changeTransitions, contactFields } from "./contact-change.ts";
import { kycTransitions } from "./customer.ts";

const Name = (example: string) => Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", examples: [example] });
const ElevenDigits = (what: string, example: string) =>
  Type.String({
    pattern: "^[0-9]{11}$",
    description: `${what}: eleven digits. Never shown again.`,
    examples: [example],
  });

export const customerBody = named(
  "NewCustomer",
  Type.Object({
    first_name: Name("Adaeze"),
    last_name: Name("Okafor"),
    email: Email,
    phone: Type.String({
      format: "phone",
      maxLength: 30,
      description: "A Nigerian mobile number; +234…, 234… and 0… are understood. Codes are sent to it.",
      examples: ["+2348031234567"],
    }),
    bvn: ElevenDigits("Bank verification number", "22123456770"),
    nin: Type.Optional(ElevenDigits("National identification number", "12345678901")),
    date_of_birth: Type.Optional(
      Type.String({
        format: "date",
        pattern: "^(19|20)[0-9]{2}-",
        description: "YYYY-MM-DD.",
        examples: ["1994-06-21"],
      }),
    ),
    address: Type.Optional(Type.String({ minLength: 1, maxLength: 500, examples: ["12 Allen Avenue, Ikeja, Lagos"] })),
    external_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "Your own name for the customer.",
        examples: ["user-77"],
      }),
    ),
  }),
);

export type CustomerBody = Static<typeof customerBody>;

export const Reason = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: "\\S",
  description: "Why; kept with the customer and in the audit trail.",
  examples: ["Passport seen, ticket 4711"],
});

const kycStatuses = keysOf(kycTransitions);

const destination = Type.String({
  description: "The phone on record, masked: the code was sent there.",
  examples: ["0803****567"],
});

const pendingChange = named(
  "PendingContactChange",
  Type.Object(
    {
      id: Uuid,
      fields: Type.Array(OneOf(contactFields), { description: "What would change.", examples: [["phone"]] }),
      destination,
      expires_at: Timestamp,
    },
    { description: "A change of contact data that the customer has not confirmed yet. Until then nothing changes." },
  ),
);

export const customerData = named(
  "Customer",
  Type.Object({
    id: Uuid,
    first_name: Type.String({ examples: ["Adaeze"] }),
    last_name: Type.String({ examples: ["Okafor"] }),
    email: Type.String({ examples: ["adaeze@example.com"] }),
    phone: Type.String({ description: "E.164.", examples: ["+2348031234567"] }),
    external_id: Nullable(Type.String({ examples: ["user-77"] })),
    kyc_status: OneOf(kycStatuses, { examples: ["verified"] }),
    has_linked_card: Type.Boolean({
      description: "Whether a linked card can back new loans. After a change of phone, a card has to be linked again.",
      examples: [false],
    }),
    pending_change: Nullable(pendingChange),
    created_at: Timestamp,
  }),
);

export type PresentedCustomer = Static<typeof customerData>;

export const CustomerParams = Type.Object({ customerId: PathId });

export const ChangeParams = Type.Object({ customerId: PathId, changeId: PathId });

export const sentChangeCode = named(
  "SentContactChangeCode",
  Type.Object({
    id: Uuid,
    channel: OneOf(["sms"]),
    destination,
    expires_at: Timestamp,
    resend_after: Timestamp,
  }),
);

export const OperatorChangeParams = Type.Object({ id: PathId, changeId: PathId });

/** As an operator sees it: whole, because a person decides by it. */
export const operatorChange = named(
  "ContactChange",
  Type.Object({
    id: Uuid,
    customerId: Uuid,
    status: OneOf([...keysOf(changeTransitions), "expired"] as const, {
      examples: ["pending"],
    }),
    phone: Nullable(Type.String({ examples: ["+2348099999999"] })),
    email: Nullable(Type.String({ examples: ["adaeze@example.com"] })),
    address: Nullable(Type.String({ examples: ["12 Allen Avenue, Ikeja, Lagos"] })),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
);
