import { Type } from "typebox";
import { OneOf } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";
import { reasonCodes } from "../credit/decide.ts";

const CreditReason = Type.Object({
  code: OneOf([...reasonCodes, "amount_out_of_band", "not_eligible"], { examples: ["overdue_loan"] }),
  message: Type.String({ examples: ["An instalment is overdue. The customer can borrow again once it is paid."] }),
});

export const checkoutLoanProblems = {
  checkout_loan_not_found: { status: 404, cause: "No checkout loan has this id." },
  checkout_loan_being_disbursed: {
    status: 409,
    cause: "The loan is being paid out at this moment.",
    cure: "Wait for bnpl.loan.disbursed, or retry when it has failed.",
  },
  lender_not_configured: {
    status: 503,
    cause: "No lender is configured, so no live loan can be offered.",
    cure: "Ask the operator to set JARA_LENDER_NAME and the others.",
  },
  not_eligible: {
    status: 422,
    cause: "The customer cannot borrow at the moment.",
    cure: "data.reasons says why and what can be done.",
    data: Type.Object({ reasons: Type.Array(CreditReason) }),
  },
  tenor_not_supported: {
    status: 422,
    cause: "No loan is offered for this number of months.",
    cure: "data.tenors lists those that are.",
    data: Type.Object({ tenors: Type.Array(Type.Integer(), { examples: [[3, 6, 12]] }) }),
  },
} as const satisfies ProblemCatalogue;

export const checkoutLoanProblem = problemsFrom(checkoutLoanProblems);
