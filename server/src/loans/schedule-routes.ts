import { type Static, Type } from "typebox";
import { presentPlanned, presentSchedule, scheduleItem } from "../lending/account/schedule-on-wire.ts";
import { operations } from "../lending/explain/derivation.ts";
import { type Explanation, explain, explainableFields } from "../lending/explain/explain.ts";
import { type LoanProduct, type LoanTerms, ratePercent } from "../lending/pricing/product.ts";
import { findProduct } from "../lending/pricing/products.ts";
import { type Quote, quote } from "../lending/pricing/quote.ts";
import { nairaNumber, parseNaira } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { compileFind } from "../platform/http/request/validation.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { lagosDate } from "../platform/time/lagos-date.ts";
import { checkTerms, type ReadTerms } from "./check-terms.ts";
import { readLoanView, requireLoan } from "./read-loan.ts";
import { quoteBody, quoteData } from "./schedule-schemas.ts";

export interface ScheduleRouteDependencies {
  readonly sealer: Sealer;
}

const common = { tag: "Loans" } as const;

export function scheduleRoutes(deps: ScheduleRouteDependencies): Route[] {
  return [quoteRoute(), scheduleRoute(deps), explainRoute(deps)];
}

function quoteRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/quote",
    operationId: "quoteLoan",
    withoutProof: true,
    scope: "loans:read",
    summary: "Price a loan",
    description:
      "What a loan would cost if it were paid out today, instalment by instalment, by the same arithmetic as a real one. Nothing is stored.",
    body: quoteBody,
    keepsNothing: true,
    bodyCheckedByHandler: true,
    reply: { status: 200, title: "Loan quote", message: "Quote computed", data: quoteData },
    handle: ({ body, read }) =>
      read(async (tx) => {
        const product = await findProduct(tx);
        const terms = readQuoteTerms(product, body);
        return { data: presentQuote(quote(product, terms, lagosDate(tx.environment.clock.now()))) };
      }),
  });
}

function scheduleRoute({ sealer }: ScheduleRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/loans/{id}/schedule",
    operationId: "getLoanSchedule",
    scope: "loans:read",
    summary: "Read a loan's schedule",
    description:
      "The instalments with what was paid of each. Empty before approval; until the money is out, dates are projected.",
    params: IdParams,
    reply: { status: 200, title: "Schedule", message: "Schedule retrieved", data: Type.Array(scheduleItem) },
    problems: ["loan_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => ({ data: presentSchedule((await readLoanView(tx, sealer, params.id)).view) })),
  });
}

function explainRoute({ sealer }: ScheduleRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/loans/{id}/explain",
    operationId: "explainLoan",
    scope: "loans:read",
    summary: "Explain a figure",
    description:
      "How a figure of loan_details comes about: rates, days, rounding and postings, in words and in numbers. Each step names its operation and its inputs, facts or earlier results, so that it can be computed again; the last step's result is the value.",
    params: IdParams,
    query: explainQuery,
    reply: { status: 200, title: "Explanation", message: "Figure explained", data: explanationData },
    problems: ["loan_not_found"],
    handle: ({ params, query, read }) =>
      read(async (tx) => {
        const loan = await requireLoan(tx, sealer, params.id);
        return { data: presentExplanation(await explain(tx, loan.accountId, query.field)) };
      }),
  });
}

export function presentQuote(priced: Quote): Static<typeof quoteData> {
  return {
    amount: nairaNumber(priced.amount),
    tenure: priced.tenor,
    tenure_type: priced.tenorType,
    interest_rate: ratePercent(priced.rate),
    total_interest: nairaNumber(priced.totalInterest),
    total_repayment: nairaNumber(priced.totalRepayment),
    installment_amount: nairaNumber(priced.instalmentAmount),
    schedules: priced.instalments.map((instalment) => ({ id: null, ...presentPlanned(instalment) })),
  };
}

/** Reads what a quote is asked for. Whatever is wrong is told at once, by the form and by the product. */
const findMistakes = compileFind(quoteBody, "body");

/** Throws validation_failed with every bad field. */
export function readQuoteTerms(product: LoanProduct, body: unknown): LoanTerms {
  const found = findMistakes(body);
  const bad = new Set(found.map(({ field }) => field));
  const fields: Partial<Static<typeof quoteBody>> = typeof body === "object" && body !== null ? body : {};
  const { amount, tenure, tenure_type: tenorType } = fields;
  const read: ReadTerms = {
    amount: amount === undefined || bad.has("amount") ? null : (parseNaira(String(amount)) ?? null),
    tenor: tenure === undefined || bad.has("tenure") ? null : Number(tenure),
    tenorType: tenorType === undefined || bad.has("tenure_type") ? null : tenorType,
  };
  const errors = [...found, ...checkTerms(product, read)];
  if (errors.length > 0 || read.amount === null || read.tenor === null || read.tenorType === null) {
    throw commonProblem("validation_failed", { errors });
  }
  return { amount: read.amount, tenor: read.tenor, tenorType: read.tenorType };
}

const explainQuery = Type.Object({
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

const explanationData = named(
  "LoanExplanation",
  Type.Object({
    field: OneOf(explainableFields),
    value: NairaNumber,
    as_of: Timestamp,
    steps: Type.Array(step),
    postings: Type.Array(posting),
  }),
);

function presentExplanation(explanation: Explanation): Static<typeof explanationData> {
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
