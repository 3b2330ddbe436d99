import { Type } from "typebox";
import { explain } from "../lending/explain.ts";
import { findProduct } from "../lending/products.ts";
import { quote } from "../lending/quote.ts";
import { presentSchedule, scheduleItem } from "../lending/schedule-on-wire.ts";
import { keyRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { lagosDate } from "../platform/time/lagos-date.ts";
import { explainQuery, explanationData, presentExplanation } from "./explanation-schemas.ts";
import { presentQuote } from "./present-quote.ts";
import { readLoanView, requireLoan } from "./read-loan.ts";
import { readQuoteTerms } from "./read-quote.ts";
import { quoteBody, quoteData } from "./schedule-schemas.ts";

export interface ScheduleRouteDependencies {
  readonly sealer: Sealer;
}

const common = { tag: "Loans" } as const;

export function scheduleRoutes(deps: ScheduleRouteDependencies): Route[] {
  return [quoteRoute(), scheduleRoute(deps), explainRoute(deps)];
}

function quoteRoute(): Route {
  return keyRoute({
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
  return keyRoute({
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
  return keyRoute({
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
