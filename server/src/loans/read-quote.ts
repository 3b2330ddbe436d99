/** Reads what a quote is asked for. Whatever is wrong is told at once, by the form and by the product. */
import type { Static } from "typebox";
import type { LoanProduct, LoanTerms } from "../lending/product.ts";
import { parseNaira } from "../money/kobo.ts";
import { compileFind } from "../platform/http/validation.ts";
import { commonProblem } from "../platform/problem.ts";
import { checkTerms, type ReadTerms } from "./check-terms.ts";
import { quoteBody } from "./schedule-schemas.ts";

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
