import { type Static, Type } from "typebox";
import { type Explanation, explainableFields } from "../lending/explain.ts";
import { operations } from "../lending/explanation.ts";
import { nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";

export const explainQuery = Type.Object({
  field: OneOf(explainableFields, { description: "A figure of loan_details.", examples: ["to_repay"] }),
});

const step = Type.Object({
  name: Type.String({ examples: ["total_interest"] }),
  words: Type.String({ examples: ["4 % of the amount for each of 6 months."] }),
  operation: OneOf(operations, { examples: ["percent"] }),
  inputs: Type.Array(
    Type.Object({ name: Type.String({ examples: ["amount"] }), value: Type.String({ examples: ["50000.00"] }) }),
  ),
  rounding: Nullable(Type.String({ examples: ["half up to the kobo"] })),
  result: Type.String({ examples: ["12000.00"] }),
});

const posting = Type.Object({
  id: Uuid,
  kind: Type.String({ examples: ["loan.repayment"] }),
  narration: Nullable(Type.String({ examples: ["Loan repayment"] })),
  posted_at: Timestamp,
  legs: Type.Array(
    Type.Object({
      account: Type.String({ description: "By its purpose.", examples: ["interest_income"] }),
      amount: NairaNumber,
    }),
  ),
});

export const explanationData = named(
  "LoanExplanation",
  Type.Object({
    field: OneOf(explainableFields),
    value: NairaNumber,
    as_of: Timestamp,
    steps: Type.Array(step),
    postings: Type.Array(posting),
  }),
);

export function presentExplanation(explanation: Explanation): Static<typeof explanationData> {
  return {
    field: explanation.field,
    value: nairaNumber(explanation.value),
    as_of: explanation.asOf.toISOString(),
    steps: explanation.steps.map(({ inputs, ...told }) => ({ ...told, inputs: [...inputs] })),
    postings: explanation.postings.map(({ id, kind, narration, postedAt, legs }) => ({
      id,
      kind,
      narration,
      posted_at: postedAt.toISOString(),
      legs: legs.map(({ purpose, amount }) => ({ account: purpose, amount: nairaNumber(amount) })),
    })),
  };
}
