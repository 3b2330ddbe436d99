/** Customers as the API takes and shows them. BVN and NIN go in and never come out. */
import { type Static, Type } from "typebox";
import { Email, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { type KycStatus, kycTransitions } from "./customer.ts";

const Name = (example: string) => Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", examples: [example] });
const ElevenDigits = (what: string, example: string) =>
  Type.String({
    pattern: "^[0-9]{11}$",
    description: `${what}: eleven digits. Never shown again.`,
    examples: [example],
  });

export const customerBody = Type.Object({
  first_name: Name("Adaeze"),
  last_name: Name("Okafor"),
  email: Email,
  phone: Type.String({
    minLength: 1,
    maxLength: 30,
    description: "A Nigerian mobile number; +234…, 234… and 0… are understood. Codes are sent to it.",
    examples: ["+2348031234567"],
  }),
  bvn: ElevenDigits("Bank verification number", "22123456789"),
  nin: Type.Optional(ElevenDigits("National identification number", "12345678901")),
  date_of_birth: Type.Optional(
    Type.String({ format: "date", pattern: "^(19|20)[0-9]{2}-", description: "YYYY-MM-DD.", examples: ["1994-06-21"] }),
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
});

export type CustomerBody = Static<typeof customerBody>;

const kycStatuses = Object.keys(kycTransitions) as KycStatus[];

export const customerData = Type.Object({
  id: Uuid,
  first_name: Type.String({ examples: ["Adaeze"] }),
  last_name: Type.String({ examples: ["Okafor"] }),
  email: Type.String({ examples: ["adaeze@example.com"] }),
  phone: Type.String({ description: "E.164.", examples: ["+2348031234567"] }),
  external_id: Nullable(Type.String({ examples: ["user-77"] })),
  kyc_status: OneOf(kycStatuses, { examples: ["verified"] }),
  has_linked_card: Type.Boolean({ examples: [false] }),
  created_at: Timestamp,
});

export type PresentedCustomer = Static<typeof customerData>;

export const CustomerParams = Type.Object({ customerId: Uuid });
