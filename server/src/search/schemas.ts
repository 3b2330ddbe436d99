import { type Static, Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, Nullable, Timestamp } from "../platform/http/wire.ts";

const findData = named(
  "SearchResult",
  Type.Object({
    kind: Type.String({ description: "What it is.", examples: ["transfer"] }),
    id: Type.String({ examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }),
    title: Type.String({ description: "What you know it by.", examples: ["payout-1042"] }),
    subtitle: Type.String({ examples: ["ADAEZE OKAFOR · 0690000032 · Access Bank"] }),
    status: Nullable(Type.String({ examples: ["completed"] })),
    amount: Nullable(NairaNumber),
    createdAt: Timestamp,
    path: Type.String({
      description: "Where it is read: the record itself, or its trace.",
      examples: ["/transfers/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"],
    }),
  }),
);

export const searchData = Type.Array(findData, { description: "The best fit first; at most 20." });

export type PresentedFind = Static<typeof findData>;

export const searchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: "\\S",
    description:
      "A reference, an id, a request id, an account number, a telephone, an amount, a name or an e-mail address.",
    examples: ["payout-1042"],
  }),
});
