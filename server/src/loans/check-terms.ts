import { type LoanProduct, type LoanTerms, type TermsError, termsErrors } from "../lending/pricing/product.ts";
import { keysOf } from "../platform/keys-of.ts";
import type { FieldError } from "../platform/problem.ts";

/** Terms of which some could not be read; what is missing is not judged. */
export type ReadTerms = { readonly [F in keyof LoanTerms]: LoanTerms[F] | null };

const wireNames = { amount: "amount", tenor: "tenure", tenorType: "tenure_type" } as const satisfies Record<
  TermsError["field"],
  string
>;

/** What the product says against the terms, in the words of the wire. */
export function checkTerms(product: LoanProduct, read: ReadTerms): FieldError[] {
  const errors = termsErrors(product, completed(product, read));
  return errors
    .filter(({ field }) => read[field] !== null)
    .map(({ field, message }) => ({ field: wireNames[field], message }));
}

/** Puts something allowed in the place of what is missing, so that the rest can be judged. */
function completed(product: LoanProduct, { amount, tenor, tenorType }: ReadTerms): LoanTerms {
  const [offered = "monthly"] = keysOf(product.tenors);
  const type = tenorType ?? offered;
  const shortest = product.tenors[type]?.shortest ?? 1;
  return {
    amount: amount ?? product.minimumAmount,
    // How long is too long depends on the unit: without one, no length is wrong.
    tenor: tenorType === null ? shortest : (tenor ?? shortest),
    tenorType: type,
  };
}
