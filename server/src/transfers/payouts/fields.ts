/** The words in which a payout is asked for. */

import { Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";

export const AccountNumber = named(
  "AccountNumber",
  Type.String({
    pattern: "^[0-9]{10}$",
    description: "Ten digits.",
    examples: ["0690000032"],
  }),
);

export const BankCode = named(
  "BankCode",
  Type.String({
    minLength: 1,
    maxLength: 20,
    description: "The bank's CBN code (three digits or more) or its 6-digit NIP code.",
    examples: ["044"],
  }),
);

/** The bounds of a payout are a rule with a code of its own; what is not a payable amount at all is refused here. */
export const Amount = Type.Number({
  format: "naira",
  exclusiveMinimum: 0,
  description: "Naira with at most two decimals; 100.00 to 10,000,000.00.",
  examples: [2500.5],
});

export const Currency = named("Currency", Type.Unsafe<"NGN">({ type: "string", enum: ["NGN"], examples: ["NGN"] }));

export const Reference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "Yours, and used once: the same reference with the same content is the same payout.",
  examples: ["payout-1042"],
});

export const Narration = Type.String({ maxLength: 100, description: "Shown to the recipient.", examples: ["October"] });

export const AccountName = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    "The account holder that you expect. Word order, case, titles and a person's missing middle name do not matter. The name of a business counts whole, with words such as Foods or Ventures; only Ltd, Plc, Nig or Co may be missing. Another name is refused.",
  examples: ["Adaeze Okafor"],
});
