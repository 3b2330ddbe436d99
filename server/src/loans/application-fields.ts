/** The words in which a loan is asked for. Everything is a string, as the specification has it. */

import { type Static, Type } from "typebox";
import { tenorTypes } from "../lending/pricing/product.ts";
import { named } from "../platform/http/named-schema.ts";
import { OneOf } from "../platform/http/wire.ts";

const Name = (example: string) => Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", examples: [example] });
const ElevenDigits = (example: string) =>
  Type.String({ pattern: "^[0-9]{11}$", description: "Eleven digits.", examples: [example] });
const Coordinate = (format: "latitude" | "longitude", range: string, example: string) =>
  Type.String({ format, description: `Degrees as a decimal number, ${range}.`, examples: [example] });

export const AmountString = Type.String({
  pattern: "^[0-9]{1,13}(\\.[0-9]{1,2})?$",
  description: "Naira as a decimal string with at most two decimals, within the loan product's bounds.",
  examples: ["50000"],
});

export const TenureString = Type.String({
  pattern: "^[1-9][0-9]{0,4}$",
  description: "A positive whole number, in units of tenure_type.",
  examples: ["6"],
});

export const createBody = named(
  "NewLoan",
  Type.Object({
    first_name: Name("Adaeze"),
    last_name: Name("Okafor"),
    phone: Type.String({
      format: "phone",
      maxLength: 30,
      description: "With country code; +234…, 234… and 0… are understood.",
      examples: ["+2348031234567"],
    }),
    nin: ElevenDigits("12345678901"),
    bvn: ElevenDigits("22123456770"),
    amount: AmountString,
    tenure_type: OneOf(tenorTypes, { examples: ["monthly"] }),
    email: Type.String({ format: "email", maxLength: 320, examples: ["adaeze@example.com"] }),
    tenure: TenureString,
    bank_code: Type.String({
      minLength: 1,
      maxLength: 20,
      description: "From GET /loans/banks: bank_code or nip_code.",
      examples: ["058"],
    }),
    account_number: Type.String({ pattern: "^[0-9]{10}$", description: "Ten digits.", examples: ["0123456789"] }),
    longitude: Coordinate("longitude", "-180 to 180", "3.3792"),
    latitude: Coordinate("latitude", "-90 to 90", "6.5244"),
  }),
);

export type CreateBody = Static<typeof createBody>;
